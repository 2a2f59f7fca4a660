import type { AddressPolicy } from './address-policy.ts';
import { changeWebhook } from './change-webhook.ts';
import type { WebhookStore } from './ports.ts';
import { checkSharedSecret } from './signature.ts';
import { type Webhook, type WebhookSettings, withSettings } from './webhook.ts';
import { checkWebhookUrl } from './webhook-url.ts';

/**
 * Replaces an endpoint's settings; an absent shared secret keeps the old one. Another URL turns the endpoint off
 * (`disabledReason` `url_changed`) until it is enabled, and so verified, again.
 * @param settled resolves when every replica has noticed the change
 * @throws AppError `validation_error`, `not_found`, `conflict`.
 */
export function updateWebhook(webhooks: WebhookStore, policy: AddressPolicy, settled: () => Promise<void>) {
  return async (merchantId: string, id: string, settings: WebhookSettings, sharedSecret?: string): Promise<Webhook> => {
    checkWebhookUrl(settings.url, policy);
    if (sharedSecret !== undefined) checkSharedSecret(sharedSecret);
    const webhook = await changeWebhook(webhooks, merchantId, id, (old) =>
      withSettings(old, settings, sharedSecret, new Date()),
    );
    if (webhook.enabled) await settled();
    return webhook;
  };
}
