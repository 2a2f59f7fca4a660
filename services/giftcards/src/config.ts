import { type KeyRing, readKeyRing } from '#platform/encryption.ts';
import { readKafkaConfig } from '#platform/kafka/config.ts';
import type { KafkaConfig } from '#platform/kafka/kafka.ts';
import { type Env, EnvReader } from '#platform/process/env.ts';
import { readServiceConfig, type ServiceConfig } from '#platform/process/service.ts';

export interface GiftCardsConfig {
  readonly service: ServiceConfig;
  readonly kafka: KafkaConfig;
  readonly redisUrls: readonly string[];
  /** Put before lock keys, so that installations can share a Redis. */
  readonly lockPrefix: string;
  /** AES-256 keys of card numbers. */
  readonly cardKeys: KeyRing;
  /** HMAC key of number look-ups, security codes and request fingerprints. Changing it orphans them all. */
  readonly hashKey: Buffer;
}

/** @throws ConfigError naming every bad variable. */
export function envToConfig(env: Env): GiftCardsConfig {
  const reader = new EnvReader(env);
  const service = readServiceConfig(reader, 'giftcards');
  return reader.done({
    service,
    kafka: readKafkaConfig(reader),
    redisUrls: reader.list('REDIS_URL'),
    lockPrefix: `${service.mongo.database}:card:`,
    cardKeys: readKeyRing(reader, 'CARD_ENCRYPTION_KEYS'),
    hashKey: reader.secret('CARD_HMAC_KEY'),
  });
}
