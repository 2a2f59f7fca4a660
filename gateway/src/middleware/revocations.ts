import { connectRedis, type RedisClient } from '#platform/redis/redis.ts';
import { delay } from '#platform/retry.ts';
import type { Logger } from '#platform/telemetry/logging.ts';

/**
 * Redis channel on which identity tells every gateway of a change: the message is the id of a session or key, or of a
 * user or merchant, of which nothing that was known holds any longer, or {@link everything}.
 */
export const revocationChannel = 'credentials.revoked';
/** The message that some word may have been lost, as when identity was killed: nothing holds any longer. */
export const everything = '*';

const retryMs = 500;
/**
 * Redis is asked again this long after the last question and its answer. Word comes on the same connection before the
 * answer to what was asked later, so an answer proves that none was lost until its question.
 */
const askEveryMs = 250;
/** An answer that takes longer is none. Twice this is less than the second in which a revocation holds. */
const answerMsMax = 450;

/**
 * Listens for revoked credentials on a connection of its own, and goes on trying while Redis is down. A path that was
 * lost silently is noticed within 2 × `answerMsMax`, long before the connection is given up.
 * @param on.live called with true when messages arrive from now on, with false when they may be missed.
 */
export async function listenForRevocations(
  redisUrl: string,
  logger: Logger,
  on: { revoked(id: string): void; allRevoked(): void; live(isLive: boolean): void },
): Promise<{ stop(): Promise<void> }> {
  const client = await connectRedis(redisUrl, logger);
  const stopped = new AbortController();
  let isLive = false;
  const tell = (isNowLive: boolean) => {
    if (isNowLive !== isLive && !stopped.signal.aborted) on.live(isNowLive);
    isLive = isNowLive;
  };
  client.on('error', () => tell(false));
  const subscribed = (async () => {
    while (!stopped.signal.aborted) {
      try {
        await client.subscribe(revocationChannel, (id) => (id === everything ? on.allRevoked() : on.revoked(id)));
        tell(true);
        return;
      } catch {
        await delay(retryMs, stopped.signal);
      }
    }
  })();
  if (client.isReady) await subscribed;
  const asking = subscribed.then(() => askOnAndOn(client, tell, stopped.signal));
  return {
    async stop() {
      stopped.abort();
      client.destroy();
      await asking;
    },
  };
}

/** A connection that was lost and made again has its subscription back before anything can be asked on it. */
async function askOnAndOn(client: RedisClient, tell: (isLive: boolean) => void, stopped: AbortSignal): Promise<void> {
  while (!stopped.aborted) {
    const askedAt = performance.now();
    await ask(client, tell);
    await delay(Math.max(0, askEveryMs - (performance.now() - askedAt)), stopped);
  }
}

/** Asks once. While an answer is due nothing else is asked, so that a silent connection is idle and given up in the end. */
async function ask(client: RedisClient, tell: (isLive: boolean) => void): Promise<void> {
  let isAwaited = true;
  let isLate = false;
  const late = setTimeout(() => {
    // What has arrived while this process was busy is read first.
    setImmediate(() => {
      isLate = isAwaited;
      if (isLate) tell(false);
    });
  }, answerMsMax);
  try {
    await client.ping();
    if (!isLate) tell(true);
  } catch {
    tell(false);
  } finally {
    isAwaited = false;
    clearTimeout(late);
  }
}
