import type { Logger } from '#platform/logging.ts';
import { delay } from '#platform/retry.ts';
import { type ClaimedDelivery, judge, type Outcome } from './delivery.ts';
import { createFairQueue, type Slot, type SlotLimits, type Turn } from './fair-queue.ts';
import type { DeliveryMetrics, DeliveryStore, QueueReference, WebhookClient, WebhookStore } from './ports.ts';
import { createResultWriter } from './result-writer.ts';
import { signedPost } from './signed-post.ts';
import { disabled, type Webhook } from './webhook.ts';

/** How deliveries are sent. */
export interface DeliverySettings {
  readonly retryScheduleMs: readonly number[];
  /** How long a claim keeps others off; longer than a try can take. */
  readonly leaseMs: number;
  /** How often the database is asked for due retries and for what other replicas left. */
  readonly pollMs: number;
  readonly slots: SlotLimits;
  /** How long tries may go on once the process is stopping. */
  readonly stopGraceMs: number;
}

/** Sends due deliveries for as long as it runs. */
export interface DeliveryPool {
  start(): void;
  /** Something new is in these queues. */
  wake(queues: readonly QueueReference[]): void;
  /** Takes up nothing more, lets tries end for a while, gives back the rest. */
  stop(): Promise<void>;
}

const queuesPerPollMax = 4096;
/** At most a tenth of the time goes into polling, however long a poll takes. */
const pollShareMin = 10;

/** The pool of one process. Several share the work through claims; what a dead one had claimed is sent when its leases run out. */
export function createDeliveryPool(
  parts: {
    readonly webhooks: WebhookStore;
    readonly deliveries: DeliveryStore;
    readonly client: WebhookClient;
    readonly metrics: DeliveryMetrics;
    readonly logger: Logger;
  },
  settings: DeliverySettings,
): DeliveryPool {
  const { webhooks, deliveries, client, metrics, logger } = parts;
  const queue = createFairQueue(settings.slots);
  const results = createResultWriter(deliveries);
  const stopping = new AbortController();
  const cutting = new AbortController();
  const underWay = new Set<Promise<void>>();
  let polling: Promise<void> = Promise.resolve();

  const track = (work: Promise<void>) => {
    underWay.add(work);
    void work.finally(() => {
      underWay.delete(work);
      metrics.setInFlight(queue.inFlight());
      pump();
    });
  };

  const pump = () => {
    if (stopping.signal.aborted) return;
    for (let turn = queue.next(); turn !== undefined; turn = queue.next()) track(takeTurn(turn));
  };

  const takeTurn = async (turn: Turn): Promise<void> => {
    let claimed: ClaimedDelivery[] = [];
    let webhook: Webhook | undefined;
    try {
      const asOf = new Date();
      webhook = await webhooks.find(turn.queue.merchantId, turn.queue.endpointId);
      if (webhook === undefined) await deliveries.deleteAll(turn.queue);
      else if (webhook.enabled) claimed = await deliveries.claim(turn.queue, turn.room, settings.leaseMs);
      else metrics.count('dropped', await deliveries.dropDue(turn.queue, asOf));
    } catch (error) {
      // The next poll finds this queue again.
      logger.warn({ err: (error as Error).message }, 'cannot read a webhook queue now');
    }
    const slots = turn.settle(claimed.length);
    for (const [index, slot] of slots.entries()) track(send(slot, webhook!, claimed[index]!));
  };

  const send = async (slot: Slot, webhook: Webhook, delivery: ClaimedDelivery): Promise<void> => {
    const turnsSlow = setTimeout(() => {
      slot.slow();
      pump();
    }, settings.slots.slowAfterMs);
    let succeeded = false;
    try {
      const outcome = await attempt(webhook, delivery);
      succeeded = outcome.kind === 'delivered';
      await results.write(delivery, outcome);
      metrics.count(outcome.kind);
      if (succeeded) metrics.observeLag(Date.now() - delivery.occurredAt.getTime());
      if (outcome.kind === 'failed') await disable(webhook, outcome);
    } catch (error) {
      // The claim lapses, and it is sent once more.
      logger.warn({ err: (error as Error).message, deliveryId: delivery.id }, 'cannot store a delivery result now');
    } finally {
      clearTimeout(turnsSlow);
      slot.free(succeeded);
    }
  };

  const attempt = async (webhook: Webhook, delivery: ClaimedDelivery): Promise<Outcome> => {
    const post = signedPost(webhook, delivery.eventId, delivery.payload);
    const answer = await client.post({ ...post, signal: cutting.signal, readsBody: false });
    if ('fault' in answer && answer.fault === 'aborted') return { kind: 'released' };
    return judge(answer, delivery.attempts, settings.retryScheduleMs, Math.random());
  };

  /** Not when the merchant changed the endpoint since: the failure was then another's. */
  const disable = async (webhook: Webhook, { disables }: Outcome & { kind: 'failed' }): Promise<void> => {
    if (!(await webhooks.replace(webhook.merchantId, disabled(webhook, disables, new Date())))) return;
    logger.warn({ merchantId: webhook.merchantId, webhookId: webhook.id, reason: disables }, 'webhook disabled');
  };

  const poll = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const startedAt = performance.now();
      try {
        for (const due of await deliveries.dueQueues(queuesPerPollMax)) queue.wake(due);
        pump();
      } catch (error) {
        logger.warn({ err: (error as Error).message }, 'cannot look for due webhook deliveries now');
      }
      const tookMs = performance.now() - startedAt;
      await delay(Math.max(settings.pollMs, tookMs * pollShareMin), stopping.signal);
    }
  };

  return {
    start() {
      polling = poll();
    },
    wake(queues) {
      for (const reference of queues) queue.wake(reference);
      pump();
    },
    async stop() {
      stopping.abort();
      await polling;
      const cut = setTimeout(() => cutting.abort(), settings.stopGraceMs);
      while (underWay.size > 0) await Promise.allSettled(underWay);
      clearTimeout(cut);
    },
  };
}
