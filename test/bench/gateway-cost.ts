import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { longRunningFlags } from '#stack/node-flags.mjs';
import { repoRoot } from '#stack/paths.ts';
import { freePort } from '#stack/ports.ts';
import { httpAnswers } from '#stack/probes.ts';
import { until } from '../support/api.ts';
import { HttpConnection } from '../support/http-connection.ts';
import { OwnRedis } from '../support/own-redis.ts';
import { compare, type Row } from './measure.ts';
import { MemoryProbe } from './memory-probe.ts';
import { cpuUs } from './process-stats.ts';

const clients = 64;
const manyKeys = 10_000;
/** Half a minute together: as long as the gateway believes what it knows of a key. */
const rounds = { rounds: 5, roundMs: 3_000 };
const memoryRequests = 200_000;
const path = '/v2/templates/e00000000000000000000001';
const noLimit = '1000000';

/** A comparison, with the processor time that each process took for a request: on a busy machine this is what holds. */
export interface CostRow extends Row {
  readonly cpu: { readonly gatewayUs: number; readonly servicesUs: number; readonly bareUs: number };
}

/** Memory of the gateway after a garbage collection. */
export interface MemoryRow {
  readonly requests: number;
  readonly rssMb: number;
  readonly heapMb: number;
}

/** The gateway, what answers behind it, a Redis, and a bare express beside it; all on this machine, with no database. */
export class GatewayCost {
  readonly #children: readonly ChildProcess[];
  readonly #redis: OwnRedis;
  readonly #gateway: ChildProcess;
  readonly #gatewayClients: readonly HttpConnection[];
  readonly #bareClients: readonly HttpConnection[];

  private constructor(
    gateway: ChildProcess,
    others: readonly ChildProcess[],
    redis: OwnRedis,
    urls: readonly string[],
  ) {
    this.#gateway = gateway;
    this.#children = [gateway, ...others];
    this.#redis = redis;
    const [gatewayClients = [], bareClients = []] = urls.map((url) =>
      Array.from({ length: clients }, () => new HttpConnection(url)),
    );
    this.#gatewayClients = gatewayClients;
    this.#bareClients = bareClients;
  }

  /** @param profileDir where the gateway's CPU profile is written at the end, if anywhere. */
  static async start(profileDir?: string): Promise<GatewayCost> {
    const CALLER_SECRET = randomBytes(32).toString('base64');
    const redis = await OwnRedis.start();
    const services = start('test/bench/no-op-services.ts', { CALLER_SECRET });
    const bare = start('test/bench/bare-express.ts', {});
    const [{ identity, templates }, { port }] = [await told(services), await told(bare)];
    const [gatewayPort, healthPort] = [await freePort(), await freePort()];
    const templatesAddress = `127.0.0.1:${templates}`;
    const env = {
      CALLER_SECRET,
      PORT: String(gatewayPort),
      HOST: '127.0.0.1',
      HEALTH_HOST: '127.0.0.1',
      HEALTH_PORT: String(healthPort),
      LOG_LEVEL: 'warn',
      REDIS_URL: redis.url,
      IDENTITY_ADDR: `127.0.0.1:${identity}`,
      TEMPLATES_ADDR: templatesAddress,
      LOYALTY_ADDR: templatesAddress,
      GIFTCARDS_ADDR: templatesAddress,
      WEBHOOKS_ADDR: templatesAddress,
      RATE_LIMIT_PER_IP: noLimit,
      RATE_LIMIT_FAILED_AUTHENTICATION_PER_IP: noLimit,
    };
    const profiling = profileDir === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileDir}`];
    const gateway = start('gateway/src/main.ts', env, profiling);
    await until('the gateway is ready', () => httpAnswers(healthPort, '/readyz'));
    return new GatewayCost(gateway, [services, bare], redis, [
      `http://127.0.0.1:${gatewayPort}`,
      `http://127.0.0.1:${port}`,
    ]);
  }

  /** The gateway against the bare express, with one key and with many. */
  async *compare(): AsyncGenerator<CostRow> {
    yield await this.#compare('gateway-cost, 1 key', () => 0);
    await this.#sendAll(0, manyKeys);
    yield await this.#compare(`gateway-cost, ${manyKeys} keys`, () => Math.floor(Math.random() * manyKeys));
  }

  async #compare(name: string, pickKey: () => number): Promise<CostRow> {
    const [gateway, services, bare] = this.#children.map((child) => new CpuMeter(child));
    const baseline = {
      name: 'bare express route',
      work: (client: number) => ask(this.#bareClients[client]).finally(() => bare?.count()),
    };
    const work = (client: number) =>
      this.#ask(client, pickKey()).finally(() => {
        gateway?.count();
        services?.count();
      });
    const row = await compare(name, clients, work, baseline, rounds);
    const [gatewayUs = 0, servicesUs = 0, bareUs = 0] = [gateway, services, bare].map((meter) => meter?.usEach());
    return { ...row, cpu: { gatewayUs, servicesUs, bareUs } };
  }

  /** What the gateway holds before, amid and after many requests of many keys. */
  async *memory(requests: number = memoryRequests): AsyncGenerator<MemoryRow> {
    const probe = await MemoryProbe.attach(this.#gateway);
    let sent = 0;
    for (const share of [0.1, 0.25, 0.5, 0.75, 1]) {
      await this.#sendAll(sent, requests * share);
      sent = requests * share;
      yield { requests: sent, ...(await probe.afterGarbageCollection()) };
    }
    probe.detach();
  }

  async stop(): Promise<void> {
    for (const connection of [...this.#gatewayClients, ...this.#bareClients]) connection.close();
    const ends = this.#children.map((child) => (child.exitCode === null ? once(child, 'exit') : undefined));
    for (const child of this.#children) child.disconnect();
    await Promise.all(ends);
    await this.#redis.dispose();
  }

  /** One request after another for each client, the keys in turn. */
  async #sendAll(from: number, to: number): Promise<void> {
    let next = from;
    const loop = async (client: number) => {
      while (next < to) await this.#ask(client, next++ % manyKeys);
    };
    await Promise.all(this.#gatewayClients.map((_, client) => loop(client)));
  }

  #ask(client: number, key: number): Promise<void> {
    return ask(this.#gatewayClients[client], { authorization: `Bearer bench-${key}` });
  }
}

async function ask(connection: HttpConnection | undefined, headers: Record<string, string> = {}): Promise<void> {
  const answer = await connection?.request('GET', path, headers);
  if (answer?.status !== 200) throw new Error(`GET ${path}: ${answer?.status} ${answer?.body}`);
}

/** Processor time of a child for each thing counted, from Linux' /proc. */
class CpuMeter {
  readonly #pid: number | undefined;
  readonly #startedAtUs: number;
  #count = 0;

  constructor(child: ChildProcess) {
    this.#pid = child.pid;
    this.#startedAtUs = this.#us();
  }

  count(): void {
    this.#count += 1;
  }

  usEach(): number {
    return Math.round((this.#us() - this.#startedAtUs) / this.#count);
  }

  #us(): number {
    return cpuUs(this.#pid ?? 0);
  }
}

/** A child that ends when this process does. */
function start(entry: string, env: Record<string, string>, flags: readonly string[] = []): ChildProcess {
  const { NODE_OPTIONS: _options, ...inherited } = process.env;
  const child = fork(join(repoRoot, entry), {
    execArgv: [...flags, ...longRunningFlags, '--inspect-port=127.0.0.1:0'],
    env: { ...inherited, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
  });
  child.stderr?.pipe(process.stderr);
  return child;
}

/** The first message of a child: where it listens. */
async function told(child: ChildProcess): Promise<Record<string, number>> {
  const [message] = await once(child, 'message', { signal: AbortSignal.timeout(60_000) });
  return message as Record<string, number>;
}
