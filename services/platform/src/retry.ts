/** Bounds of a retry loop; delays double from `delayMs` to `delayMsMax`, with ±50 % jitter. */
export interface RetryBounds {
  readonly attemptsMax: number;
  readonly delayMs: number;
  readonly delayMsMax: number;
}

/** Runs `work` until it succeeds or the bounds are used up; then the last error is thrown. */
export async function retry<T>(
  work: (attempt: number) => Promise<T>,
  bounds: RetryBounds,
  isRetriable: (error: unknown) => boolean = () => true,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(attempt);
    } catch (error) {
      if (attempt >= bounds.attemptsMax || !isRetriable(error)) throw error;
      const base = Math.min(bounds.delayMsMax, bounds.delayMs * 2 ** (attempt - 1));
      await delay(base * (0.5 + Math.random()));
    }
  }
}

/** Resolves after `ms`, or at once when `signal` aborts. */
export function delay(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done, { once: true });
  });
}
