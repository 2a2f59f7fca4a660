import type { z } from 'zod';
import type { Webhook, WebhookSettings } from '#proto/webhooks/v1/webhooks.ts';
import type { CreateWebhookPayload } from '../../schemas/webhooks.ts';
import { isoAlways, textOrNull } from '../render.ts';

export function renderWebhook(webhook: Webhook) {
  return {
    id: webhook.id,
    url: webhook.url,
    sharedSecret: webhook.sharedSecret,
    enabled: webhook.enabled,
    allPassTemplates: webhook.allPassTemplates,
    allowedTemplates: webhook.allowedTemplates,
    allEventTypes: webhook.allEventTypes,
    allowedEvents: webhook.allowedEvents,
    createdAt: isoAlways(webhook.createdAt, 'createdAt'),
    updatedAt: isoAlways(webhook.updatedAt, 'updatedAt'),
    disabledReason: textOrNull(webhook.disabledReason),
  };
}

/** Naming some templates or events means those only, unless the payload says otherwise. */
export function settingsOf(payload: z.output<typeof CreateWebhookPayload>): WebhookSettings {
  const { url, sharedSecret, allowedTemplates = [], allowedEvents = [] } = payload;
  return {
    url,
    sharedSecret,
    allPassTemplates: payload.allPassTemplates ?? allowedTemplates.length === 0,
    allowedTemplates,
    allEventTypes: payload.allEventTypes ?? allowedEvents.length === 0,
    allowedEvents,
  };
}
