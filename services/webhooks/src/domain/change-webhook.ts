import { isId } from '#platform/ids.ts';
import { errors } from './errors.ts';
import type { WebhookStore } from './ports.ts';
import type { Webhook } from './webhook.ts';

const attemptsMax = 5;

/** The merchant's endpoint. @throws AppError `not_found` */
export async function findWebhook(webhooks: WebhookStore, merchantId: string, id: string): Promise<Webhook> {
  const webhook = isId(id) ? await webhooks.find(merchantId, id) : undefined;
  if (webhook === undefined) throw errors.webhookNotFound();
  return webhook;
}

/**
 * Reads, changes and stores an endpoint, again when somebody else changed it meanwhile.
 * @throws AppError `not_found`, or `conflict` when others kept getting in the way.
 */
export async function changeWebhook(
  webhooks: WebhookStore,
  merchantId: string,
  id: string,
  change: (webhook: Webhook) => Webhook,
): Promise<Webhook> {
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const webhook = await findWebhook(webhooks, merchantId, id);
    const changed = change(webhook);
    if (changed === webhook || (await webhooks.replace(merchantId, changed))) return changed;
  }
  throw errors.changedMeanwhile();
}
