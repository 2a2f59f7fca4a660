/** Bounds of slow work: what runs at once, and what may wait for it. */
export interface WorkBounds {
  readonly runningMax: number;
  readonly waitingMax: number;
}

/**
 * Runs at most `runningMax` pieces of work at once, the others in their order.
 * @param refuse - makes the error for work that comes when `waitingMax` are waiting
 */
export function createWorkLimit({ runningMax, waitingMax }: WorkBounds, refuse: () => Error) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async function limited<T>(work: () => Promise<T>): Promise<T> {
    if (running >= runningMax) {
      if (waiting.length >= waitingMax) throw refuse();
      // The place is handed over by whoever finishes, so `running` stays as it is.
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
