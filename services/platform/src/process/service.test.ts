import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { type Client, credentials, makeGenericClientConstructor, type ServiceError, status } from '@grpc/grpc-js';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { service as healthService } from 'grpc-health-check';
import type { Connection } from 'mongoose';
import { Registry } from 'prom-client';
import { TemplatesServiceService } from '#proto/templates/v1/templates.ts';
import { connectMongo } from '../mongo/mongo.ts';
import { watchMongo } from '../mongo/readiness.ts';
import { delay } from '../retry.ts';
import { createTestDatabase, createTestLogger, type TestDatabase } from '../testing.ts';
import { type ServiceServers, startServers } from './service.ts';

/** Stands between the service and MongoDB, and can be cut. */
class Cable {
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;
  port = 0;

  constructor(target: { host: string; port: number }) {
    this.#server = createServer((socket) => {
      const onward = connect(target);
      for (const [one, other] of [[socket, onward] as const, [onward, socket] as const]) {
        this.#sockets.add(one);
        one.pipe(other).on('error', () => other.destroy());
        one.on('close', () => other.destroy());
      }
    });
  }

  plug(): Promise<void> {
    return new Promise((resolve) =>
      this.#server.listen(this.port, '127.0.0.1', () => {
        this.port = (this.#server.address() as AddressInfo).port;
        resolve();
      }),
    );
  }

  cut(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
  }
}

type HealthClient = Client & {
  check(request: { service: string }, done: (error: ServiceError | null, answer?: { status: string }) => void): void;
};

let database: TestDatabase;
let cable: Cable;
let connection: Connection;
let servers: ServiceServers;
let healthPort: number;
let health: HealthClient;
const logger = createTestLogger();

beforeAll(async () => {
  database = await createTestDatabase('service');
  const { hostname, port } = new URL(database.uri.split(',')[0]!);
  cable = new Cable({ host: hostname, port: Number(port) });
  await cable.plug();
  const uri = `mongodb://127.0.0.1:${cable.port}/?directConnection=true`;
  connection = await connectMongo({ uri, database: database.database }, logger);
  healthPort = await freePort();
  const listen = { host: '127.0.0.1', port: 0 };
  const config = { logLevel: 'debug', mongo: database, callerSecret: randomBytes(32) };
  servers = await startServers<Record<string, never>>(
    { ...config, grpc: listen, health: { ...listen, port: healthPort } },
    { definition: TemplatesServiceService, handlers: {}, connection, logger, registry: new Registry() },
  );
  const Health = makeGenericClientConstructor(healthService as never, 'Health');
  health = new Health(`127.0.0.1:${servers.grpcPort}`, credentials.createInsecure()) as unknown as HealthClient;
});
afterAll(async () => {
  health.close();
  await connection.close();
  cable.cut();
  await database.drop();
});

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

const serving = (service = '') =>
  new Promise<string>((resolve) => {
    health.check({ service }, (error, answer) => resolve(answer?.status ?? String(error?.code)));
  });
const readyz = async () => (await fetch(`http://127.0.0.1:${healthPort}/readyz`)).status;
const healthz = async () => (await fetch(`http://127.0.0.1:${healthPort}/healthz`)).status;

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await delay(20);
}

test('health needs no signed caller, and nothing else goes without', async () => {
  expect([await serving(), await readyz()]).toEqual(['NOT_SERVING', 503]);
  servers.setReady();
  expect([await serving(), await serving('tallycard.templates.v1.TemplatesService')]).toEqual(['SERVING', 'SERVING']);
  expect(await serving('nobody')).toBe('5');
  expect(await readyz()).toBe(200);
});

test('without MongoDB it is not ready after a while, stays alive, and is ready again with it', async () => {
  const cutAt = performance.now();
  cable.cut();
  expect([await readyz(), await serving()]).toEqual([200, 'SERVING']);
  await until(async () => (await readyz()) === 503);
  expect(performance.now() - cutAt).toBeGreaterThan(4_900);
  expect([await serving(), await healthz()]).toEqual(['NOT_SERVING', 200]);
  await cable.plug();
  await until(async () => (await serving()) === 'SERVING');
  expect(await readyz()).toBe(200);
}, 30_000);

test('nobody can hold up its end by watching its health', async () => {
  const watch = healthService.Watch as unknown as { path: string };
  const bytes = (value: Buffer) => value;
  const stream = health.makeServerStreamRequest(watch.path, bytes, bytes, Buffer.alloc(0));
  const [error] = (await once(stream, 'error')) as [ServiceError];
  expect(error.code).toBe(status.UNIMPLEMENTED);
});

test('from the moment it stops it is not ready', async () => {
  const stopped = servers.stop();
  expect(await serving()).not.toBe('SERVING');
  await stopped;
});

test('a moment without a primary is nothing to tell of', async () => {
  const client = new EventEmitter();
  const told: boolean[] = [];
  watchMongo(client, (usable) => told.push(usable), 30);
  const change = (type: string) =>
    client.emit('topologyDescriptionChanged', {
      newDescription: {
        servers: new Map([
          ['a', { type }],
          ['b', { type: 'RSSecondary' }],
        ]),
      },
    });
  change('RSPrimary');
  change('Unknown');
  change('RSPrimary');
  await delay(60);
  expect(told).toEqual([]);
  change('Unknown');
  await until(async () => told.length > 0);
  change('RSPrimary');
  expect(told).toEqual([false, true]);
});
