const windowMs = 60_000;
const delayFirstMs = 50;
const delayMaxMs = 5_000;

/** Decides whether, and after how long, a process that died is started again. */
export class RestartBudget {
  readonly #restartsMax: number;
  #recent: number[] = [];

  /** @param restartsMax - how many restarts a minute are still put up with */
  constructor(restartsMax: number) {
    this.#restartsMax = restartsMax;
  }

  /**
   * Counts one death.
   *
   * @param nowMs - the time of it
   * @returns the delay before the next start in milliseconds, or undefined to give up
   */
  next(nowMs: number): number | undefined {
    this.#recent = this.#recent.filter((atMs) => nowMs - atMs < windowMs);
    if (this.#recent.length >= this.#restartsMax) return undefined;
    this.#recent.push(nowMs);
    return Math.min(delayFirstMs * 2 ** (this.#recent.length - 1), delayMaxMs);
  }
}
