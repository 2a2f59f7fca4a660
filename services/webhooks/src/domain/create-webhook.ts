import type { AddressPolicy } from './address-policy.ts';
import { errors } from './errors.ts';
import type { WebhookStore } from './ports.ts';
import { checkSharedSecret, generateSharedSecret } from './signature.ts';
import { newWebhook, type Webhook, type WebhookSettings } from './webhook.ts';
import { checkWebhookUrl } from './webhook-url.ts';

/**
 * Makes an endpoint, turned off until it is verified. Without a shared secret it gets a random one.
 * @throws AppError `validation_error` for the URL or the secret, `webhook_limit_reached`.
 */
export function createWebhook(webhooks: WebhookStore, policy: AddressPolicy) {
  return async (merchantId: string, settings: WebhookSettings, sharedSecret?: string): Promise<Webhook> => {
    checkWebhookUrl(settings.url, policy);
    if (sharedSecret !== undefined) checkSharedSecret(sharedSecret);
    const webhook = newWebhook(merchantId, settings, sharedSecret ?? generateSharedSecret(), new Date());
    if (!(await webhooks.insert(webhook))) throw errors.limitReached();
    return webhook;
  };
}
