import type { EdgeConfig } from '../edge-config.ts';
import { refusals } from '../errors.ts';

/** A request that is being answered. */
export interface Pending {
  /** Since when an answer is due, by the clock of `performance.now()`. */
  dueSince: number;
  /** Answers it in place of what does not come. */
  expire(): void;
}

type Bounds = Pick<EdgeConfig, 'requestsInFlightMax' | 'requestMsMax' | 'answerMsMax'>;

const sweepsPerAnswer = 10;
/** The part of all requests in flight whose bodies one client may keep us waiting for. */
const receivingShareMax = 0.1;

/** The requests that are being answered: a bounded number, each for a bounded time. */
export class InFlight {
  readonly #bounds: Bounds;
  readonly #pending = new Set<Pending>();
  /** How many bodies each client network is sending. */
  readonly #receiving = new Map<string, number>();
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

  /**
   * Reads a body. What a client takes to send it is not ours to answer for, but bounded all the same.
   * @param network who sends it; undefined when it has come already.
   * @throws {AppError} 503 when this network is sending as many bodies as it may.
   */
  async receive<Body>(request: Pending, network: string | undefined, read: () => Promise<Body>): Promise<Body> {
    request.dueSince = performance.now() + this.#bounds.requestMsMax;
    const isHeld = network !== undefined;
    if (isHeld) this.#hold(network);
    try {
      return await read();
    } finally {
      if (isHeld) this.#release(network);
      request.dueSince = performance.now();
    }
  }

  /** When a request will have been answered at the latest. */
  dueAt({ dueSince }: Pending): number {
    return dueSince + this.#bounds.answerMsMax;
  }

  /** The least time left in which a change is begun: a tenth of what an answer may take, so that its end is told. */
  get changeMsMin(): number {
    return this.#bounds.answerMsMax / 10;
  }

  stop(): void {
    clearInterval(this.#sweep);
  }

  #hold(network: string): void {
    const held = this.#receiving.get(network) ?? 0;
    if (held >= Math.max(1, this.#bounds.requestsInFlightMax * receivingShareMax)) throw refusals.overloaded();
    this.#receiving.set(network, held + 1);
  }

  #release(network: string): void {
    const held = this.#receiving.get(network) ?? 0;
    if (held > 1) this.#receiving.set(network, held - 1);
    else this.#receiving.delete(network);
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
