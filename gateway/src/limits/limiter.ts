import { unavailable } from '#platform/errors.ts';
import type { Logger } from '#platform/telemetry/logging.ts';
import { LocalCounter, type OwnCalls } from './local-counter.ts';
import { type Counted, type LimitGroup, type LimitState, statesOf } from './policy.ts';

const probeMs = 100;
/** Keys whose metered calls are handed over at once: Redis does nothing else meanwhile. */
const handedOverMax = 128;

/** Counts for all gateways together; rejects when it cannot. */
export interface SharedCounter {
  count(group: LimitGroup): Promise<Counted>;
  /** Adds metered calls that were counted elsewhere. */
  addCalls(own: readonly OwnCalls[]): Promise<void>;
  /** Resolves when counting is possible again. */
  probe(): Promise<void>;
}

/** What a request may do when the shared counter is away: go on, counted in this process, or be refused. */
export type WithoutRedis = 'count-locally' | 'refuse';

/**
 * Counts requests against their limits. The first failure of Redis opens a circuit: nobody waits for it any more, and a
 * probe closes the circuit when Redis answers again.
 */
export class Limiter {
  readonly #shared: SharedCounter;
  readonly #logger: Logger;
  readonly #now: () => number;
  readonly #local = new LocalCounter();
  #probing: NodeJS.Timeout | undefined;
  #isOpen = false;
  #stopped = false;

  constructor(shared: SharedCounter, logger: Logger, now: () => number = Date.now) {
    this.#shared = shared;
    this.#logger = logger;
    this.#now = now;
  }

  /** @throws {AppError} `unavailable` when Redis is away and the request may not go on without it. */
  async count(group: LimitGroup, withoutRedis: WithoutRedis): Promise<LimitState[]> {
    if (this.#isOpen) return this.#countLocally(group, withoutRedis);
    let counted: Counted;
    try {
      counted = await this.#shared.count(group);
    } catch (error) {
      this.#open(error);
      return this.#countLocally(group, withoutRedis, error);
    }
    return statesOf(group, counted, this.#now());
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#probing);
  }

  #countLocally(group: LimitGroup, withoutRedis: WithoutRedis, cause?: unknown): LimitState[] {
    if (withoutRedis === 'refuse') throw unavailable(undefined, cause);
    const now = this.#now();
    return statesOf(group, this.#local.count(group, now), now);
  }

  #open(error: unknown): void {
    if (this.#isOpen || this.#stopped) return;
    this.#isOpen = true;
    this.#logger.warn({ err: (error as Error).message }, 'rate limits are counted in this process alone');
    this.#probeLater();
  }

  #probeLater(): void {
    this.#probing = setTimeout(() => {
      this.#recover().catch(() => {
        if (!this.#stopped) this.#probeLater();
      });
    }, probeMs).unref();
  }

  async #recover(): Promise<void> {
    await this.#shared.probe();
    await this.#handOver();
    this.#close();
    // What came meanwhile was still counted here.
    await this.#handOver().catch((error: unknown) => {
      this.#logger.error({ err: error }, 'metered calls were not handed over');
    });
  }

  async #handOver(): Promise<void> {
    for (;;) {
      const own = this.#local.takeOwnCalls(handedOverMax);
      if (own.length === 0) return;
      try {
        await this.#shared.addCalls(own);
      } catch (error) {
        this.#local.keepOwnCalls(own);
        throw error;
      }
    }
  }

  #close(): void {
    this.#isOpen = false;
    this.#local.clear();
    this.#logger.info({}, 'rate limits are counted in Redis again');
  }
}
