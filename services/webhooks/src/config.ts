import { type KeyRing, readKeyRing } from '#platform/encryption.ts';
import { readKafkaConfig } from '#platform/kafka/config.ts';
import type { KafkaConfig } from '#platform/kafka/kafka.ts';
import { type Env, EnvReader } from '#platform/process/env.ts';
import { readServiceConfig, type ServiceConfig } from '#platform/process/service.ts';
import { retryScheduleMs } from './domain/delivery.ts';

export interface WebhooksConfig extends ServiceConfig {
  readonly kafka: KafkaConfig;
  readonly encryptionKeys: KeyRing;
  /** Development only. */
  readonly allowLoopback: boolean;
  readonly retryScheduleMs: readonly number[];
  /** How long an endpoint may take to answer. */
  readonly timeoutMs: number;
}

const retriesMax = 50;
const retryDelayMsMax = 7 * 86_400_000;

/** @throws ConfigError that names every bad variable. */
export function envToConfig(source: Env): WebhooksConfig {
  const env = new EnvReader(source);
  return env.done({
    ...readServiceConfig(env, 'webhooks'),
    kafka: readKafkaConfig(env),
    encryptionKeys: readKeyRing(env, 'WEBHOOK_ENCRYPTION_KEYS'),
    allowLoopback: env.bool('WEBHOOK_ALLOW_LOOPBACK', false),
    retryScheduleMs: readSchedule(env, 'WEBHOOK_RETRY_SCHEDULE_MS'),
    timeoutMs: env.int('WEBHOOK_TIMEOUT_MS', { fallback: 15_000, min: 100, max: 60_000 }),
  });
}

/** Milliseconds between tries, with commas. */
function readSchedule(env: EnvReader, name: string): number[] {
  const delays = env.list(name, retryScheduleMs.join(',')).map(Number);
  const good = delays.every((ms) => Number.isInteger(ms) && ms >= 0 && ms <= retryDelayMsMax);
  if (!good || delays.length === 0 || delays.length > retriesMax) {
    env.fault(`${name} must be 1 to ${retriesMax} whole numbers of milliseconds up to ${retryDelayMsMax}, with commas`);
  }
  return delays;
}
