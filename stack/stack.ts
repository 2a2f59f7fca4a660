import type { ComponentName } from './components/component.ts';
import { type DataDir, openDataDir } from './data-dir.ts';
import { freePort, isPortFree } from './ports.ts';
import { type Progress, StackError } from './progress.ts';
import { stopLeftovers } from './run-file.ts';
import { RunningStack } from './running-stack.ts';
import type { Secrets } from './secrets.ts';
import { allServices, isGateway, type ServiceDefinition } from './services.ts';
import type { SupervisedProcess } from './supervised-process.ts';

/** What a stack is started with. */
export interface StackOptions {
  /** Of the gateway; a free one if left out. */
  port?: number;
  /** Where the gateway listens; loopback unless set. */
  host?: string;
  /** Data, logs and secrets; made if need be. One stack at a time can run on it. */
  dataDir: string;
  /** Added to this process's environment, for components and services, and stronger than anything else. */
  env?: Record<string, string>;
  /** Which components to start: all, unless named. */
  components?: 'all' | ComponentName[];
  /** Our own processes: the five services and the gateway, unless given. */
  services?: ServiceDefinition[];
  /** Reports nothing. */
  quiet?: boolean;
  /** Where progress goes; standard error unless given. */
  onProgress?: Progress;
  /** Stops what was started so far, and makes the start fail. */
  signal?: AbortSignal;
  /** Told when a process keeps dying and is given up; the rest goes on. */
  onFailure?: (error: StackError) => void;
}

/** A stack that is up. */
export interface Stack {
  /** `http://127.0.0.1:<port>` of the gateway. */
  baseUrl: string;
  /** `mongodb`, `redis`, `kafka`, `gateway`, and `<name>Grpc` and `<name>Health` of each service. */
  ports: Readonly<Record<string, number>>;
  uris: { mongodbUri: string; redisUrl: string; kafkaBrokers: string };
  dataDir: string;
  secrets: Secrets;
  /** What the stack told a service, without what it inherits: to reach its database, or to call it over gRPC. */
  serviceEnv(name: string): Record<string, string>;
  /** One process by name: `pid`, `kill(signal)`, `waitReady()`, `restart()`. */
  process(name: string): SupervisedProcess;
  /** Stops one process in good order and starts it again, on the same ports. */
  restart(name: string): Promise<void>;
  /** Stops everything in order. The data stays. */
  stop(): Promise<void>;
}

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
