import type { Logger } from '#platform/logging.ts';
import { connectRedis } from '#platform/redis.ts';
import { delay } from '#platform/retry.ts';

/**
 * Redis channel on which identity tells every gateway of a change: the message is the id of a session or key, or of a
 * user or merchant, of which nothing that was known holds any longer, or {@link everything}.
 */
export const revocationChannel = 'credentials.revoked';
/** The message that some word may have been lost, as when identity was killed: nothing holds any longer. */
export const everything = '*';

const retryMs = 500;

/**
 * Listens for revoked credentials on a connection of its own, and goes on trying while Redis is down.
 * @param on.live called with true when messages arrive from now on, with false when they may be missed.
 */
export async function listenForRevocations(
  redisUrl: string,
  logger: Logger,
  on: { revoked(id: string): void; allRevoked(): void; live(isLive: boolean): void },
): Promise<{ stop(): Promise<void> }> {
  const client = await connectRedis(redisUrl, logger);
  const stopped = new AbortController();
  let subscribedOnce = false;
  client.on('error', () => on.live(false));
  client.on('ready', () => on.live(subscribedOnce));
  const subscribed = (async () => {
    while (!stopped.signal.aborted) {
      try {
        await client.subscribe(revocationChannel, (id) => (id === everything ? on.allRevoked() : on.revoked(id)));
        subscribedOnce = true;
        on.live(true);
        return;
      } catch {
        await delay(retryMs, stopped.signal);
      }
    }
  })();
  if (client.isReady) await subscribed;
  return {
    async stop() {
      stopped.abort();
      client.destroy();
      await subscribed;
    },
  };
}
