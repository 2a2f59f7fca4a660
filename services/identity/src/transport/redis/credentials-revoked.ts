import type { RedisClient } from '#platform/redis/redis.ts';
import { delay } from '#platform/retry.ts';
import type { Logger } from '#platform/telemetry/logging.ts';
import type { Revocations } from '../../domain/ports.ts';

const channel = 'credentials.revoked';
const everything = '*';
const retryMs = 500;
/** Ids kept for later; with more than that the gateways are told to forget everything. */
const unpublishedMax = 10_000;
const lastTryMsMax = 1_000;

/**
 * Tells the gateways of ids of which nothing that they know holds any longer. Redis being down delays nobody: what could
 * not be published is, as soon as it can be.
 * @returns also `stop`, for when nothing is published any more: it tries once more to tell what is owed, for 1 s at most.
 */
export function createRevocations(redis: RedisClient, logger: Logger): Revocations & { stop(): Promise<void> } {
  const unpublished = new Set<string>();
  const stopped = new AbortController();
  let isRetrying = false;
  const retry = async () => {
    isRetrying = false;
    try {
      for (const id of unpublished) {
        if (stopped.signal.aborted) return;
        await redis.publish(channel, id);
        unpublished.delete(id);
      }
    } catch {
      retryLater();
    }
  };
  const retryLater = () => {
    if (!isRetrying) setTimeout(retry, retryMs).unref();
    isRetrying = true;
  };
  const keep = (id: string) => {
    if (unpublished.has(everything)) return;
    const isAll = id === everything || unpublished.size >= unpublishedMax;
    if (isAll) unpublished.clear();
    unpublished.add(isAll ? everything : id);
  };
  const publish = async (id: string) => {
    try {
      await redis.publish(channel, id);
    } catch (error) {
      logger.warn({ err: (error as Error).message, id }, 'a revocation is not published yet');
      keep(id);
      retryLater();
    }
  };
  const stop = async () => {
    stopped.abort();
    if (unpublished.size === 0) return;
    const tried = redis.publish(channel, everything).then(
      () => undefined,
      (error: Error) => error,
    );
    const failure = await Promise.race([tried, delay(lastTryMsMax).then(() => new Error('no answer in time'))]);
    if (failure) logger.warn({ err: failure.message, count: unpublished.size }, 'revocations were never published');
  };
  return { publish, publishAll: () => publish(everything), stop };
}
