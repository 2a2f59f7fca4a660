import { type Env, EnvReader } from '#platform/process/env.ts';
import { readServiceConfig, type ServiceConfig } from '#platform/process/service.ts';

export type LoyaltyConfig = ServiceConfig;

/** @throws ConfigError that names every bad variable. */
export function envToConfig(env: Env): LoyaltyConfig {
  const reader = new EnvReader(env);
  return reader.done(readServiceConfig(reader, 'loyalty'));
}
