import type { WebhookPost } from './ports.ts';
import { signatureHeaders } from './signature.ts';
import type { Webhook } from './webhook.ts';

/** A POST of `body` to an endpoint, signed as of now. */
export function signedPost(webhook: Webhook, eventId: string, body: string): Omit<WebhookPost, 'readsBody'> {
  const timestampSeconds = Math.floor(Date.now() / 1000);
  return {
    url: webhook.url,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Tallycard-Webhooks/1',
      ...signatureHeaders({ id: eventId, timestampSeconds, body }, webhook.sharedSecret),
    },
    body,
  };
}
