import type { Logger } from '#platform/logging.ts';
import type { RedisClient } from '#platform/redis.ts';
import type { Revocations } from '../../domain/ports.ts';

const channel = 'credentials.revoked';
const everything = '*';
const retryMs = 500;
/** Ids kept for later; with more than that the gateways are told to forget everything. */
const unpublishedMax = 10_000;

/**
 * Tells the gateways of ids of which nothing that they know holds any longer. Redis being down delays nobody: what could
 * not be published is, as soon as it can be.
 */
export function createRevocations(redis: RedisClient, logger: Logger): Revocations {
  const unpublished = new Set<string>();
  let isRetrying = false;
  const retry = async () => {
    isRetrying = false;
    try {
      for (const id of unpublished) {
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
  return { publish, publishAll: () => publish(everything) };
}
