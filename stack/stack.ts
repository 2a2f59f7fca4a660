import { type DataDir, openDataDir } from './data-dir.ts';
import { freePort, isPortFree } from './ports.ts';
import { type Progress, StackError } from './progress.ts';
import { stopLeftovers } from './run-file.ts';
import { RunningStack } from './running-stack.ts';
import { allServices, isGateway, type ServiceDefinition } from './services.ts';
import type { Stack, StackOptions } from './stack-options.ts';

async function requireFreePort(port: number, host: string): Promise<void> {
  if (await isPortFree(port, host)) return;
  throw new StackError(`port ${port} is in use on ${host}: stop what listens there, or set another PORT`);
}

/** <name>Grpc and <name>Health for each; the gateway has its own HTTP port in place of gRPC. */
async function pickPorts(services: ServiceDefinition[]): Promise<Record<string, number>> {
  const names = services.flatMap((definition) => {
    return isGateway(definition) ? ['gatewayHealth'] : [`${definition.name}Grpc`, `${definition.name}Health`];
  });
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await freePort()])));
}

async function launch(options: StackOptions, dataDir: DataDir, progress: Progress): Promise<Stack> {
  const { port, host = '127.0.0.1', services = allServices } = options;
  await stopLeftovers(dataDir.file('run.json'), progress);
  if (port !== undefined) await requireFreePort(port, host);
  const ports = await pickPorts(services);
  if (services.some(isGateway)) ports.gateway = port ?? (await freePort());
  const stack = new RunningStack({ ...options, host, services, ports, directory: dataDir, progress });
  await stack.start();
  return stack;
}

/**
 * Starts MongoDB, Redis and Kafka (installing what is missing) and then all services, and keeps them running.
 * Everything it started ends with `stop()`, and when this process dies.
 *
 * @throws StackError when DATA_DIR or the port is in use, or something does not start
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const silent: Progress = () => {};
  const progress = options.quiet ? silent : (options.onProgress ?? ((line) => process.stderr.write(`${line}\n`)));
  const dataDir = await openDataDir(options.dataDir);
  try {
    return await launch(options, dataDir, progress);
  } catch (error) {
    dataDir.release();
    throw error;
  }
}

/** The same without services: for tests that bring their own. */
export function startComponents(options: Omit<StackOptions, 'services' | 'port' | 'host'>): Promise<Stack> {
  return startStack({ ...options, services: [] });
}
