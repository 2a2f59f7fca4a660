import { delay } from '../retry.ts';
import type { Logger } from '../telemetry/logging.ts';
import type { Lease } from './lease.ts';

/** Outlives a missed round or two, so that the lease does not wander. */
const leaseRounds = 3;

export interface LeasedLoop {
  /** Lets the round under way finish, and gives the lease up. */
  stop(): Promise<void>;
}

/**
 * Does `work` every `everyMs` for as long as this replica holds the lease. A round that fails is logged, and the next one
 * tries again.
 */
export function startLeasedLoop(
  lease: Lease,
  options: { readonly name: string; readonly everyMs: number; readonly logger: Logger },
  work: () => Promise<void>,
): LeasedLoop {
  const { name, everyMs, logger } = options;
  const stopping = new AbortController();
  const run = async () => {
    await delay(everyMs, stopping.signal);
    while (!stopping.signal.aborted) {
      try {
        if (await lease.take(everyMs * leaseRounds)) await work();
      } catch (error) {
        logger.warn({ err: (error as Error).message, loop: name }, 'a round failed; the next one will try again');
      }
      await delay(everyMs, stopping.signal);
    }
    await lease.release();
  };
  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
