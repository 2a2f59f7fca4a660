import type { Logger } from './logging.ts';

/** Work that nobody waits for, in bounds: what is too much is dropped, and said. */
export interface Deferred {
  run(work: () => Promise<void>): void;
  /** Resolves when all of it is done. */
  settled(): Promise<void>;
}

const pendingMax = 1_000;

/** @param what - names the work in the log when it fails or is dropped */
export function createDeferred(what: string, logger: Logger): Deferred {
  const pending = new Set<Promise<void>>();
  return {
    run(work) {
      if (pending.size >= pendingMax) return logger.warn({ what }, 'too much is deferred: dropped');
      const running: Promise<void> = Promise.resolve()
        .then(work)
        .catch((error: Error) => logger.warn({ what, err: error.message }, 'deferred work failed'))
        .finally(() => pending.delete(running));
      pending.add(running);
    },
    async settled() {
      await Promise.all(pending);
    },
  };
}
