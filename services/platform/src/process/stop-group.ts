import { delay } from '../retry.ts';
import type { Logger } from '../telemetry/logging.ts';

/** What a service stops side by side when it is told to end. */
export interface StopGroup {
  /** @param what names it in the log when it fails or takes longer than `msMax` (5 s). */
  add(what: string, stop: () => Promise<void>, msMax?: number): void;
  /**
   * Stops the servers, which take readiness off at once, and meanwhile all that was added. Nothing that hangs, such as
   * a consumer whose broker does not answer, holds up the rest. Never fails.
   */
  stopWith(servers: { stop(): Promise<void> }): Promise<void>;
}

const stopMsMaxDefault = 5_000;

export function createStopGroup(logger: Logger): StopGroup {
  const stops: (() => Promise<void>)[] = [];
  return {
    add: (what, stop, msMax = stopMsMaxDefault) => void stops.push(() => stopWithin(what, stop, msMax, logger)),
    async stopWith(servers) {
      const told = (error: Error) => logger.warn({ what: 'servers', err: error.message }, 'did not stop cleanly');
      const served = servers.stop().catch(told);
      await Promise.all([served, ...stops.map((stop) => stop())]);
    },
  };
}

/** Waits for `stop`, but not for longer than `msMax`; what went wrong is logged. */
export async function stopWithin(
  what: string,
  stop: () => Promise<void>,
  msMax: number,
  logger: Logger,
): Promise<void> {
  const over = new AbortController();
  const stopped = Promise.resolve()
    .then(stop)
    .catch((error: Error) => logger.warn({ what, err: error.message }, 'did not stop cleanly'))
    .finally(() => over.abort());
  await Promise.race([stopped, delay(msMax, over.signal)]);
  if (!over.signal.aborted) logger.warn({ what, msMax }, 'took too long to stop, and was left');
}
