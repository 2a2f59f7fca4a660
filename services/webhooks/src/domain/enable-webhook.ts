import { randomBytes } from 'node:crypto';
import { newId } from '#platform/ids.ts';
import { findWebhook } from './change-webhook.ts';
import { errors } from './errors.ts';
import type { WebhookClient, WebhookStore } from './ports.ts';
import { signedPost } from './signed-post.ts';
import { enabled, eventBody, type Webhook } from './webhook.ts';

/**
 * Sends a signed `webhook.verify` event with a token and turns the endpoint on when a 2xx answer holds the token, as
 * text or anywhere in JSON. From the answer on, every event that follows reaches the endpoint.
 * @param settled resolves when every replica has noticed the change
 * @throws AppError `verification_failed` with its `reason`, `not_found`, `conflict` when it was changed meanwhile.
 */
export function enableWebhook(webhooks: WebhookStore, client: WebhookClient, settled: () => Promise<void>) {
  return async (merchantId: string, id: string): Promise<Webhook> => {
    const webhook = await findWebhook(webhooks, merchantId, id);
    await verify(webhook, client);
    const changed = enabled(webhook, new Date());
    if (!(await webhooks.replace(merchantId, changed))) throw errors.changedMeanwhile();
    await settled();
    return changed;
  };
}

async function verify(webhook: Webhook, client: WebhookClient): Promise<void> {
  const token = randomBytes(24).toString('base64url');
  const event = {
    id: newId(),
    type: 'webhook.verify',
    timestamp: new Date().toISOString(),
    merchantId: webhook.merchantId,
    data: { token },
  };
  const answer = await client.post({ ...signedPost(webhook, event.id, eventBody(event)), readsBody: true });
  if ('fault' in answer) {
    const reason = answer.fault === 'aborted' ? 'connection_failed' : answer.fault;
    throw errors.verificationFailed({ reason });
  }
  if (answer.status < 200 || answer.status > 299) {
    throw errors.verificationFailed({ reason: 'status', status: answer.status });
  }
  if (!answer.body.includes(token)) throw errors.verificationFailed({ reason: 'token_missing' });
}
