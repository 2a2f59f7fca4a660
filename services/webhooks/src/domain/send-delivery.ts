import type { Logger } from '#platform/telemetry/logging.ts';
import { type ClaimedDelivery, judge, type Outcome } from './delivery.ts';
import type { WebhookClient, WebhookStore } from './ports.ts';
import { signedPost } from './signed-post.ts';
import { disabled, type Webhook } from './webhook.ts';

/** A claimed delivery on its way. */
export interface HeldDelivery {
  readonly delivery: ClaimedDelivery;
  /** On the clock of `performance.now()`; started later, a try might outlast the claim. */
  readonly startBefore: number;
  /** Its endpoint as it is now or was a moment ago; undefined when it was deleted. */
  webhook(): Promise<Webhook | undefined>;
}

/**
 * Makes one try and says what it came to; the last of all tries, and a 410, turn the endpoint off.
 * @param signal cuts the try short; it then does not count
 */
export function sendDelivery(
  parts: { readonly webhooks: WebhookStore; readonly client: WebhookClient; readonly logger: Logger },
  scheduleMs: readonly number[],
) {
  /** Not when the merchant changed the endpoint since: the failure was then another's. */
  const disable = async (webhook: Webhook, { disables }: Outcome & { kind: 'failed' }): Promise<void> => {
    const changed = disabled(webhook, disables, new Date());
    if (!(await parts.webhooks.replace(webhook.merchantId, changed))) return;
    parts.logger.warn({ merchantId: webhook.merchantId, webhookId: webhook.id, reason: disables }, 'webhook disabled');
  };
  return async ({ delivery, startBefore, webhook: read }: HeldDelivery, signal: AbortSignal): Promise<Outcome> => {
    const webhook = await read();
    if (webhook?.enabled !== true) return { kind: 'dropped' };
    if (performance.now() > startBefore) return { kind: 'released' };
    const post = signedPost(webhook, delivery.eventId, delivery.payload);
    const answer = await parts.client.post({ ...post, signal, readsBody: false });
    if ('fault' in answer && answer.fault === 'aborted') return { kind: 'released' };
    const outcome = judge(answer, delivery.attempts, scheduleMs, Math.random());
    if (outcome.kind === 'failed') await disable(webhook, outcome);
    return outcome;
  };
}
