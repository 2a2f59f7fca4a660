import type { EdgeConfig } from '../edge-config.ts';

/** A request that is being answered. */
export interface Pending {
  /** Since when an answer is due, by the clock of `performance.now()`. */
  dueSince: number;
  /** Answers it in place of what does not come. */
  expire(): void;
}

type Bounds = Pick<EdgeConfig, 'requestsInFlightMax' | 'answerMsMax'>;

const sweepsPerAnswer = 10;

/** The requests that are being answered: a bounded number, each for a bounded time. */
export class InFlight {
  readonly #bounds: Bounds;
  readonly #pending = new Set<Pending>();
  readonly #sweep: NodeJS.Timeout;

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
    // One timer for all, since one for each request costs more than the rest of this.
    this.#sweep = setInterval(() => this.#expireOverdue(), bounds.answerMsMax / sweepsPerAnswer).unref();
  }

  /** @returns false when there are as many as may be. */
  admit(request: Pending): boolean {
    if (this.#pending.size >= this.#bounds.requestsInFlightMax) return false;
    this.#pending.add(request);
    return true;
  }

  done(request: Pending): void {
    this.#pending.delete(request);
  }

  stop(): void {
    clearInterval(this.#sweep);
  }

  #expireOverdue(): void {
    const overdue = performance.now() - this.#bounds.answerMsMax;
    for (const request of this.#pending) {
      if (request.dueSince > overdue) continue;
      this.#pending.delete(request);
      request.expire();
    }
  }
}
