import type { Logger } from '#platform/logging.ts';
import type { RedisClient } from '#platform/redis.ts';
import type { Revocations } from '../../domain/ports.ts';

const channel = 'credentials.revoked';

/** Publishes revoked credential ids to the gateways. Redis being down delays nothing and fails nothing but this. */
export function createRevocations(redis: RedisClient, logger: Logger): Revocations {
  return {
    async publish(credentialId) {
      try {
        await redis.publish(channel, credentialId);
      } catch (error) {
        logger.warn({ err: (error as Error).message, credentialId }, 'a revocation was not published');
      }
    },
  };
}
