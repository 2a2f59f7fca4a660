import type { ComponentName } from './components/component.ts';
import type { Progress, StackError } from './progress.ts';
import type { Secrets } from './secrets.ts';
import type { ServiceDefinition } from './services.ts';
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
