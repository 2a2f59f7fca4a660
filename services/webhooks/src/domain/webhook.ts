import { newId } from '#platform/ids.ts';
import type { DomainEvent } from '#platform/kafka/kafka.ts';

/** What a merchant sets. */
export interface WebhookSettings {
  readonly url: string;
  readonly allPassTemplates: boolean;
  /** Template ids; meant only while `allPassTemplates` is false. */
  readonly allowedTemplates: readonly string[];
  readonly allEventTypes: boolean;
  /** Event types such as `giftcard.redeemed`; meant only while `allEventTypes` is false. */
  readonly allowedEvents: readonly string[];
}

/**
 * Why an endpoint is off: `not_verified` since its creation; `url_changed`; `disabled_by_merchant`; `gone`: it answered
 * 410; `delivery_failed`: a delivery used up all its tries.
 */
export type DisabledReason = 'not_verified' | 'url_changed' | 'disabled_by_merchant' | 'gone' | 'delivery_failed';

/** An endpoint of a merchant. */
export interface Webhook extends WebhookSettings {
  readonly id: string;
  readonly merchantId: string;
  readonly sharedSecret: string;
  readonly enabled: boolean;
  /** Present exactly while it is not enabled. */
  readonly disabledReason?: DisabledReason;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Rises with each change; a change is stored only over the revision that it was made from. */
  readonly revision: number;
}

/** What the fan-out needs to know of an enabled endpoint. */
export type Subscription = Pick<
  Webhook,
  'id' | 'merchantId' | 'allPassTemplates' | 'allowedTemplates' | 'allEventTypes' | 'allowedEvents'
>;

/** A new endpoint: off until verified. */
export function newWebhook(merchantId: string, settings: WebhookSettings, sharedSecret: string, now: Date): Webhook {
  const state = {
    enabled: false,
    disabledReason: 'not_verified',
    createdAt: now,
    updatedAt: now,
    revision: 1,
  } as const;
  return { id: newId(), merchantId, ...settings, sharedSecret, ...state };
}

/** Replaces the settings. Another URL turns the endpoint off: whoever is there has not yet shown that they want this. */
export function withSettings(
  webhook: Webhook,
  settings: WebhookSettings,
  sharedSecret: string | undefined,
  now: Date,
): Webhook {
  const changed = { ...webhook, ...settings, sharedSecret: sharedSecret ?? webhook.sharedSecret };
  if (settings.url === webhook.url) return touched(changed, now);
  const disabledReason = webhook.disabledReason === 'not_verified' ? 'not_verified' : 'url_changed';
  return touched({ ...changed, enabled: false, disabledReason }, now);
}

export function enabled(webhook: Webhook, now: Date): Webhook {
  const { disabledReason: _gone, ...rest } = webhook;
  return touched({ ...rest, enabled: true }, now);
}

/** Turns it off; one that is off already keeps its first reason. */
export function disabled(webhook: Webhook, reason: DisabledReason, now: Date): Webhook {
  return webhook.enabled ? touched({ ...webhook, enabled: false, disabledReason: reason }, now) : webhook;
}

function touched(webhook: Webhook, now: Date): Webhook {
  return { ...webhook, updatedAt: now, revision: webhook.revision + 1 };
}

/** Whether an endpoint subscribes to an event. Templates narrow only events that name one as `data.templateId`. */
export function wantsEvent(subscription: Subscription, event: DomainEvent): boolean {
  if (!subscription.allEventTypes && !subscription.allowedEvents.includes(event.type)) return false;
  const templateId = event.data.templateId;
  if (subscription.allPassTemplates || typeof templateId !== 'string') return true;
  return subscription.allowedTemplates.includes(templateId);
}

/** The body that is signed and sent for an event. */
export function eventBody(event: DomainEvent): string {
  const { id, type, timestamp, merchantId, data } = event;
  return JSON.stringify({ id, type, timestamp, merchantId, data });
}
