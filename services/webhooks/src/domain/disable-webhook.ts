import { changeWebhook } from './change-webhook.ts';
import type { WebhookStore } from './ports.ts';
import { disabled, type Webhook } from './webhook.ts';

/** Turns an endpoint off. Deliveries that come due while it is off are dropped. @throws AppError `not_found`, `conflict`. */
export function disableWebhook(webhooks: WebhookStore) {
  return (merchantId: string, id: string): Promise<Webhook> =>
    changeWebhook(webhooks, merchantId, id, (webhook) => disabled(webhook, 'disabled_by_merchant', new Date()));
}
