import type { Component, ComponentName } from './components/component.ts';
import { prepareKafka } from './components/kafka.ts';
import { prepareMongodb } from './components/mongodb.ts';
import { prepareRedis } from './components/redis.ts';
import { type DataDir, nameOf } from './data-dir.ts';
import type { Progress } from './progress.ts';
import { removeRunFile, writeRunFile } from './run-file.ts';
import { loadSecrets, type Secrets } from './secrets.ts';
import {
  contractEnv,
  isGateway,
  type ServiceDefinition,
  type ServiceSurroundings,
  serviceProcess,
} from './services.ts';
import type { Stack, StackOptions } from './stack-options.ts';
import type { SupervisedProcess } from './supervised-process.ts';
import { Supervisor } from './supervisor.ts';

const prepareBy = { mongodb: prepareMongodb, redis: prepareRedis, kafka: prepareKafka };
// The reverse of what depends on what; Kafka before the others only because it takes longest.
const componentStopOrder: ComponentName[] = ['kafka', 'redis', 'mongodb'];

/** Options with every choice made. */
export interface RunningStackOptions extends StackOptions {
  host: string;
  services: ServiceDefinition[];
  ports: Record<string, number>;
  directory: DataDir;
  progress: Progress;
}

/** The processes of one stack, from the first start to the last stop. */
export class RunningStack implements Stack {
  readonly ports: Record<string, number>;
  readonly secrets: Secrets;
  readonly #options: RunningStackOptions;
  readonly #env: NodeJS.ProcessEnv;
  readonly #supervisor: Supervisor;
  readonly #components: Partial<Record<ComponentName, Component>> = {};
  readonly #cancel = new AbortController();
  #stopped: Promise<void> | undefined;

  constructor(options: RunningStackOptions) {
    this.#options = options;
    this.ports = options.ports;
    this.#env = { ...process.env, ...options.env };
    this.secrets = loadSecrets(options.directory.file('secrets.json'));
    this.#supervisor = new Supervisor({
      logDir: options.directory.file('logs'),
      progress: options.progress,
      onChange: () => this.#record(),
      onGiveUp: (error) => options.onFailure?.(error),
    });
  }

  get dataDir(): string {
    return this.#options.directory.path;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.ports.gateway}`;
  }

  get uris(): Stack['uris'] {
    const { mongodb, redis, kafka } = this.#components;
    return { mongodbUri: mongodb?.uri ?? '', redisUrl: redis?.uri ?? '', kafkaBrokers: kafka?.uri ?? '' };
  }

  /** Starts everything; on failure or abort stops what was started. */
  async start(): Promise<void> {
    const { services, signal } = this.#options;
    const onAbort = () => this.#cancel.abort(signal?.reason);
    signal?.addEventListener('abort', onAbort);
    this.#cancel.signal.addEventListener('abort', () => void this.stop());
    if (signal?.aborted) onAbort();
    try {
      this.#cancel.signal.throwIfAborted();
      await this.#all(this.#componentNames().map((name) => this.#prepare(name)));
      await this.#all([this.#startComponent('kafka'), this.#startServices(services)]);
      this.#record();
    } catch (error) {
      await this.stop();
      throw error;
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }

  serviceEnv(name: string): Record<string, string> {
    const definition = this.#options.services.find((service) => service.name === name);
    if (!definition) throw new Error(`no service ${name} in this stack`);
    return contractEnv(definition, this.#surroundings());
  }

  process(name: string): SupervisedProcess {
    return this.#supervisor.get(name);
  }

  restart(name: string): Promise<void> {
    return this.#supervisor.get(name).restart();
  }

  stop(): Promise<void> {
    this.#options.directory.markStopping();
    this.#stopped ??= this.#stopAll();
    return this.#stopped;
  }

  async #stopAll(): Promise<void> {
    const services = this.#options.services.filter((definition) => !isGateway(definition)).map(({ name }) => name);
    const gateways = this.#options.services.filter(isGateway).map(({ name }) => name);
    await this.#supervisor.stop(gateways);
    await this.#supervisor.stop(services);
    for (const name of componentStopOrder) await this.#supervisor.stop([name]);
    removeRunFile(this.#options.directory.file('run.json'));
    this.#options.directory.release();
  }

  #componentNames(): ComponentName[] {
    const { components = 'all' } = this.#options;
    return components === 'all' ? (Object.keys(prepareBy) as ComponentName[]) : components;
  }

  /** Like Promise.all, but the first failure cancels the others, and they have ended too when it rejects. */
  async #all(steps: Promise<void>[]): Promise<void> {
    try {
      await Promise.all(steps);
    } catch (error) {
      this.#cancel.abort(error);
      await Promise.allSettled(steps);
      throw error;
    }
    this.#cancel.signal.throwIfAborted();
  }

  async #prepare(name: ComponentName): Promise<void> {
    const { directory, progress } = this.#options;
    const component = await prepareBy[name]({
      dir: directory.file(name),
      env: this.#env,
      host: this.#env.COMPONENTS_HOST || '127.0.0.1',
      progress,
      signal: this.#cancel.signal,
      containerName: `${nameOf(directory.path)}-${name}`,
    });
    this.#components[name] = component;
    if (component.port) this.ports[name] = component.port;
    if (!component.process) progress(`${name}: using the one given by environment`);
  }

  async #startComponent(name: ComponentName): Promise<void> {
    const process = this.#components[name]?.process;
    if (process) await this.#supervisor.start(process);
  }

  /** Kafka is not waited for: the services run without it, and on two cores it takes longest to come up. */
  async #startServices(services: ServiceDefinition[]): Promise<void> {
    await this.#all([this.#startComponent('mongodb'), this.#startComponent('redis')]);
    const around = this.#surroundings();
    await this.#all(services.map((definition) => this.#supervisor.start(serviceProcess(definition, around))));
  }

  #surroundings(): ServiceSurroundings {
    const { host, env = {}, directory } = this.#options;
    const mailDir = directory.file('mail');
    return { ...this.uris, secrets: this.secrets, ports: this.ports, host, mailDir, userEnv: this.#env, env };
  }

  /** Written at each change, so that a kill -9 at any time leaves a list to clean up by. */
  #record(): void {
    const giftcards = this.#options.services.find(({ name }) => name === 'giftcards');
    writeRunFile(this.#options.directory.file('run.json'), {
      ...this.uris,
      baseUrl: this.baseUrl,
      ports: this.ports,
      pids: this.#supervisor.pids(),
      containers: Object.values(this.#components).flatMap(({ container }) => container ?? []),
      env: giftcards ? contractEnv(giftcards, this.#surroundings()) : {},
    });
  }
}
