import { isId } from '#platform/ids.ts';
import { errors } from './errors.ts';
import type { DeliveryStore, WebhookStore } from './ports.ts';

/** Deletes an endpoint, then its deliveries. One that is added in between goes when it comes due. @throws AppError `not_found`. */
export function deleteWebhook(webhooks: WebhookStore, deliveries: DeliveryStore) {
  return async (merchantId: string, id: string): Promise<void> => {
    if (!isId(id) || !(await webhooks.delete(merchantId, id))) throw errors.webhookNotFound();
    await deliveries.deleteAll({ merchantId, endpointId: id });
  };
}
