import type { Env } from '#platform/process/env.ts';

/** Read by Node, glibc, and the tracing before a component is configured. */
const ofTheRuntime = ['MALLOC_ARENA_MAX', 'OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_SERVICE_NAME'];

/** How a component reads its configuration. */
async function configReader(component: string): Promise<(env: Env) => unknown> {
  const path = component === 'gateway' ? '../../gateway/src/config.ts' : `../../services/${component}/src/config.ts`;
  const { envToConfig } = (await import(path)) as { envToConfig: (env: Env) => unknown };
  return envToConfig;
}

/** The names of all variables that a component asks for. */
export async function envNames(component: string): Promise<ReadonlySet<string>> {
  const names = new Set(ofTheRuntime);
  const env = new Proxy<Env>(
    {},
    {
      get(_target, name) {
        names.add(String(name));
        return undefined;
      },
    },
  );
  const read = await configReader(component);
  try {
    read(env);
  } catch {
    // Nothing is set; all has been asked for by then.
  }
  for (const name of names.has('KAFKA_BROKERS') ? ['KAFKA_USERNAME', 'KAFKA_PASSWORD'] : []) names.add(name);
  return names;
}

/** What a component says to its variables; empty if it would start. */
export async function configFault(component: string, env: Env): Promise<string> {
  const read = await configReader(component);
  try {
    read(env);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}
