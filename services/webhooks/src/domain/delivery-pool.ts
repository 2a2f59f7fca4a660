import { delay } from '#platform/retry.ts';
import type { Logger } from '#platform/telemetry/logging.ts';
import type { ClaimedDelivery, Outcome } from './delivery.ts';
import { FairQueue, type Job, type Slot, type SlotLimits } from './fair-queue.ts';
import type { DeliveryMetrics, DeliveryStore, QueueReference, WebhookStore } from './ports.ts';
import { createResultWriter } from './result-writer.ts';
import type { HeldDelivery } from './send-delivery.ts';

/** How deliveries are taken up. */
export interface PoolSettings {
  /** How long a claim keeps others off. */
  readonly leaseMs: number;
  /** How long after its claim a delivery may still be started; with the time-out it stays within the lease. */
  readonly startMsMax: number;
  /** How often the database is asked for due retries and for what other replicas left. */
  readonly pollMs: number;
  readonly slots: SlotLimits;
  /** How long tries may go on once the process is stopping. */
  readonly stopGraceMs: number;
}

export interface PoolParts {
  readonly webhooks: WebhookStore;
  readonly deliveries: DeliveryStore;
  readonly send: (held: HeldDelivery, signal: AbortSignal) => Promise<Outcome>;
  readonly metrics: DeliveryMetrics;
  readonly logger: Logger;
}

const queuesPerPollMax = 4096;
/** At most a tenth of the time goes into polling, however long a poll takes. */
const pollShareMin = 10;
/** How old may be what is known of an endpoint when something is sent to it. */
const webhookMsMax = 250;

/**
 * Sends due deliveries for as long as it runs. Several processes share the work through claims; what a dead one had
 * claimed is sent when its leases run out.
 */
export class DeliveryPool {
  readonly #parts: PoolParts;
  readonly #settings: PoolSettings;
  readonly #queue: FairQueue<HeldDelivery>;
  readonly #results: ReturnType<typeof createResultWriter>;
  readonly #stopping = new AbortController();
  readonly #cutting = new AbortController();
  readonly #underWay = new Set<Promise<void>>();
  #polling: Promise<void> = Promise.resolve();

  constructor(parts: PoolParts, settings: PoolSettings) {
    this.#parts = parts;
    this.#settings = settings;
    this.#queue = new FairQueue(settings.slots);
    this.#results = createResultWriter(parts.deliveries);
  }

  start(): void {
    this.#polling = this.#poll();
  }

  /** Something new is in these queues. */
  wake(queues: readonly QueueReference[]): void {
    for (const reference of queues) this.#queue.wake(reference);
    this.#pump();
  }

  /** Takes up nothing more, lets tries end for a while, gives back the rest. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#polling;
    const cut = setTimeout(() => this.#cutting.abort(), this.#settings.stopGraceMs);
    while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay);
    clearTimeout(cut);
    const rest = this.#queue.takeHeld().map(({ delivery }) => this.#results.write(delivery, { kind: 'released' }));
    await Promise.allSettled(rest);
  }

  async #poll(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const startedAt = performance.now();
      try {
        this.wake(await this.#parts.deliveries.dueQueues(queuesPerPollMax));
      } catch (error) {
        this.#warn(error, 'cannot look for due webhook deliveries now');
      }
      const tookMs = performance.now() - startedAt;
      await delay(Math.max(this.#settings.pollMs, tookMs * pollShareMin), this.#stopping.signal);
    }
  }

  /** Starts all that may start. */
  #pump(): void {
    while (!this.#stopping.signal.aborted) {
      const job = this.#queue.next();
      if (job === undefined) return;
      const work: Promise<void> = this.#run(job).finally(() => {
        this.#underWay.delete(work);
        this.#parts.metrics.setInFlight(this.#queue.inFlight);
        this.#pump();
      });
      this.#underWay.add(work);
    }
  }

  async #run(job: Job<HeldDelivery>): Promise<void> {
    if (job.kind === 'send') return this.#send(job.item, job.slot);
    let held: HeldDelivery[] = [];
    try {
      held = await this.#claim(job.queue, job.max);
    } catch (error) {
      // The next poll finds this queue again.
      this.#warn(error, 'cannot read a webhook queue now');
    }
    job.claimed(held);
  }

  async #claim(reference: QueueReference, max: number): Promise<HeldDelivery[]> {
    const { webhooks, deliveries, metrics } = this.#parts;
    const asOf = new Date();
    const webhook = rereading(() => webhooks.find(reference.merchantId, reference.endpointId));
    const now = await webhook();
    if (now?.enabled === true) {
      const startBefore = performance.now() + this.#settings.startMsMax;
      const claimed = await deliveries.claim(reference, max, this.#settings.leaseMs);
      return claimed.map((delivery) => ({ delivery, startBefore, webhook }));
    }
    if (now === undefined) await deliveries.deleteAll(reference);
    else metrics.count('dropped', await deliveries.dropDue(reference, asOf));
    return [];
  }

  async #send(held: HeldDelivery, slot: Slot): Promise<void> {
    const turnsSlow = setTimeout(() => {
      slot.slow();
      this.#pump();
    }, this.#settings.slots.slowAfterMs);
    const lagMs = Date.now() - held.delivery.occurredAt.getTime();
    let result: Parameters<Slot['free']>[0] = 'skipped';
    try {
      const outcome = await this.#parts.send(held, this.#cutting.signal);
      if (outcome.kind === 'delivered') result = 'succeeded';
      if (outcome.kind === 'retry' || outcome.kind === 'failed') result = 'failed';
      if (result !== 'skipped' && held.delivery.attempts === 0) this.#parts.metrics.observeFirstTry(lagMs);
      await this.#record(held.delivery, outcome);
    } catch (error) {
      // The claim lapses, and it is sent once more.
      this.#warn(error, 'a webhook delivery was left undone');
    } finally {
      clearTimeout(turnsSlow);
      slot.free(result);
    }
  }

  async #record(delivery: ClaimedDelivery, outcome: Outcome): Promise<void> {
    const { metrics } = this.#parts;
    await this.#results.write(delivery, outcome);
    metrics.count(outcome.kind);
    if (outcome.kind === 'delivered') metrics.observeLag(Date.now() - delivery.occurredAt.getTime());
    if (outcome.kind === 'released') this.#queue.wake(delivery);
  }

  #warn(error: unknown, message: string): void {
    this.#parts.logger.warn({ err: (error as Error).message }, message);
  }
}

/** Reads at the first call, and again when what it has is older than a moment. */
function rereading<T>(read: () => Promise<T>): () => Promise<T> {
  let known: Promise<T> | undefined;
  let readAt = 0;
  return () => {
    if (known === undefined || performance.now() - readAt > webhookMsMax) {
      readAt = performance.now();
      known = read();
    }
    return known;
  };
}
