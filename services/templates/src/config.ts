import { type Env, EnvReader } from '#platform/process/env.ts';
import { readServiceConfig, type ServiceConfig } from '#platform/process/service.ts';

export type TemplatesConfig = ServiceConfig;

/** @throws ConfigError that names every bad variable. */
export function envToConfig(env: Env): TemplatesConfig {
  const reader = new EnvReader(env);
  return reader.done(readServiceConfig(reader, 'templates'));
}
