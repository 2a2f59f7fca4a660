import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { freePort } from '#stack/ports.ts';
import type { RunFile } from '#stack/run-file.ts';
import { loadSecrets } from '#stack/secrets.ts';
import { allServices, type ServiceSurroundings, serviceProcess } from '#stack/services.ts';
import type { SupervisedProcess } from '#stack/supervised-process.ts';
import { Supervisor } from '#stack/supervisor.ts';
import { Api, until } from '../support/api.ts';
import { RoundRobinProxy } from '../support/round-robin-proxy.ts';
import { sharedApi, sharedDemo } from '../support/shared-stack.ts';

jest.setTimeout(180_000);

const clients = 8;
const initialMinor = 500_000;
const demo = sharedDemo();
const names = ['gateway', 'giftcards'] as const;
type Name = (typeof names)[number];

let logDir: string;
let supervisor: Supervisor;
let proxy: RoundRobinProxy;
const replicas: Record<Name, SupervisedProcess[]> = { gateway: [], giftcards: [] };
const lines: string[] = [];

/** Two gateways and two replicas of giftcards, beside the stack that all tests share and on its data. */
beforeAll(async () => {
  logDir = await mkdtemp(join(tmpdir(), 'tallycard-rolling-'));
  const progress = (line: string) => void lines.push(line);
  supervisor = new Supervisor({ logDir, progress, onChange: () => undefined, onGiveUp: () => undefined });
  const dataDir = String(process.env.TEST_DATA_DIR);
  const run = JSON.parse(await readFile(join(dataDir, 'run.json'), 'utf8')) as RunFile;
  const ports = [];
  for (let index = 0; index < 2; index += 1) {
    ports.push({
      ...run.ports,
      gateway: await freePort(),
      gatewayHealth: await freePort(),
      giftcardsGrpc: await freePort(),
      giftcardsHealth: await freePort(),
    });
  }
  const env: Record<string, string> = {
    GIFTCARDS_ADDR: `ipv4:${ports.map(({ giftcardsGrpc }) => `127.0.0.1:${giftcardsGrpc}`).join()}`,
    // Longer than the proxy takes to notice.
    STOP_DRAIN_MS: '500',
    LOG_LEVEL: 'warn',
    RATE_LIMIT_PER_IP: '1000000',
    RATE_LIMIT_PER_USER: '1000000',
  };
  for (const [index, own] of ports.entries()) {
    const around: ServiceSurroundings = {
      secrets: loadSecrets(join(dataDir, 'secrets.json')),
      mailDir: join(dataDir, 'mail'),
      mongodbUri: String(run.mongodbUri),
      redisUrl: String(run.redisUrl),
      kafkaBrokers: String(run.kafkaBrokers),
      ports: own,
      host: '127.0.0.1',
      userEnv: process.env,
      env,
    };
    for (const name of names) {
      const definition = allServices.find((service) => service.name === name)!;
      const spec = { ...serviceProcess(definition, around), name: `${name}-${index}` };
      await supervisor.start(spec);
      replicas[name].push(supervisor.get(spec.name));
    }
  }
  proxy = await RoundRobinProxy.start(ports.map((own) => ({ port: own.gateway, healthPort: own.gatewayHealth })));
});

afterAll(async () => {
  await proxy?.stop();
  await supervisor?.stop(names.flatMap((name) => [`${name}-0`, `${name}-1`]));
  await rm(logDir, { recursive: true, force: true });
});

/** Clients that each read a card of theirs and spend a penny of it in turn, without idempotency keys and without a second try. */
class Load {
  readonly failures: string[] = [];
  /** Pennies, by card. */
  readonly redeemed: number[];
  #stopping = false;
  readonly #loops: Promise<void>[];

  constructor(api: Api, paths: readonly string[]) {
    this.redeemed = paths.map(() => 0);
    this.#loops = paths.map((path, index) => this.#loop(api, path, index));
  }

  get total(): number {
    return this.redeemed.reduce((sum, pennies) => sum + pennies, 0);
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    await Promise.all(this.#loops);
  }

  async #loop(api: Api, path: string, index: number): Promise<void> {
    while (!this.#stopping) {
      await this.#expectOk(api.get(path));
      if (await this.#expectOk(api.post(`${path}/redeem`, { amount: '0.01' }))) this.redeemed[index]! += 1;
    }
  }

  async #expectOk(answer: ReturnType<Api['get']>): Promise<boolean> {
    const outcome = await answer.then(
      ({ status, body }) => (status === 200 ? '' : `${status} ${JSON.stringify(body)}`),
      (error: Error) => `${error.message} ${error.cause}`,
    );
    if (outcome !== '') this.failures.push(outcome);
    return outcome === '';
  }
}

test.each(names)(
  'both replicas of %s are restarted in turn under load: no request fails, no penny is lost',
  async (name) => {
    const paths = await Promise.all(Array.from({ length: clients }, activeCard));
    const load = new Load(new Api(proxy.url, demo.accessToken), paths);
    const goesOn = async () => {
      const before = load.total;
      await until('both gateways are ready', () => proxy.readyCount === 2);
      await until('the load goes on', () => load.total > before + 50 || load.failures.length > 0, 60_000);
    };
    await goesOn();
    for (const replica of replicas[name]) {
      const { pid } = replica;
      await replica.restart();
      expect(replica.pid).not.toBe(pid);
      await goesOn();
    }
    await load.stop();

    expect(load.failures).toEqual([]);
    const spent = paths.map(async (path) => {
      const { body } = await sharedApi().get(path);
      return initialMinor - Math.round(Number(body.balance) * 100);
    });
    expect(await Promise.all(spent)).toEqual(load.redeemed);
    expect(lines.filter((line) => line.includes('died'))).toEqual([]);
  },
);

async function activeCard(): Promise<string> {
  const cards = `/v2/giftcards/programs/${demo.programId}/cards`;
  const issued = await sharedApi().post(cards, { initialValue: initialMinor / 100 });
  expect((await sharedApi().post(`${cards}/${issued.body.id}/activate`)).status).toBe(200);
  return `${cards}/${issued.body.id}`;
}
