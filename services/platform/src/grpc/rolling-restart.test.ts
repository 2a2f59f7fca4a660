import { randomBytes } from 'node:crypto';
import { afterEach, expect, test } from '@jest/globals';
import { IdentityServiceClient, IdentityServiceService } from '#proto/identity/v1/identity.ts';
import { delay } from '../retry.ts';
import { createTestLogger, testCaller } from '../testing.ts';
import { createRpcClient } from './client.ts';
import { type GrpcServer, startGrpcServer } from './server.ts';

const callerSecret = randomBytes(32);
const ignored = { observe: () => undefined };
const stopMs = 5_000;
const clients = 16;

/** How often each call was carried out, by its number. */
let carriedOut: Map<string, number>;
let servers: GrpcServer[] = [];

async function startServer(port = 0, connectionAgeMsMax?: number): Promise<GrpcServer> {
  const handlers = {
    deleteAppKey: async ({ id }: { id: string }) => {
      carriedOut.set(id, (carriedOut.get(id) ?? 0) + 1);
      await delay(Math.random() * 4);
      return {};
    },
  };
  const options = { host: '127.0.0.1', port, callerSecret, logger: createTestLogger(), metrics: ignored };
  return startGrpcServer<Record<string, never>>(IdentityServiceService, handlers, { ...options, connectionAgeMsMax });
}

/** Calls without end, none of which may be repeated, until `during` is over. @returns how many there were, and what failed. */
async function loadDuring(during: () => Promise<void>): Promise<{ calls: number; failures: string[] }> {
  const address = `ipv4:${servers.map(({ port }) => `127.0.0.1:${port}`).join()}`;
  const client = createRpcClient(IdentityServiceClient, address, callerSecret);
  const failures: string[] = [];
  let calls = 0;
  let over = false;
  const loop = async () => {
    while (!over) {
      calls += 1;
      const id = String(calls);
      await client.deleteAppKey({ id }, testCaller()).catch((error: Error) => {
        failures.push(`${id}: ${error.message} ${(error.cause as Error | undefined)?.message}`);
      });
    }
  };
  const loops = Array.from({ length: clients }, loop);
  await during();
  over = true;
  await Promise.all(loops);
  client.close();
  return { calls, failures };
}

afterEach(async () => {
  await Promise.all(servers.map((server) => server.stop(stopMs)));
  servers = [];
});

test('servers that are restarted in turn fail no call, and carry out each once, although none may be repeated', async () => {
  carriedOut = new Map();
  servers = [await startServer(), await startServer()];
  const { calls, failures } = await loadDuring(async () => {
    for (let round = 0; round < 10; round += 1) {
      for (const index of [0, 1]) {
        const { port, stop } = servers[index] as GrpcServer;
        await stop(stopMs);
        servers[index] = await startServer(port);
        // The client comes back to it by itself, so that the other one can go.
        const before = carriedOut.size;
        while (carriedOut.size < before + 200) await delay(1);
        await delay(150);
      }
    }
  });
  expect(failures).toEqual([]);
  expect(calls).toBeGreaterThan(4_000);
  expect([carriedOut.size, [...carriedOut.values()].filter((times) => times !== 1)]).toEqual([calls, []]);
});

test('a server that has its clients connect anew now and then fails no call either', async () => {
  carriedOut = new Map();
  servers = [await startServer(0, 150), await startServer(0, 150)];
  const { calls, failures } = await loadDuring(() => delay(1_000));
  expect(failures).toEqual([]);
  expect([carriedOut.size, [...carriedOut.values()].filter((times) => times !== 1)]).toEqual([calls, []]);
});

test('a lone server whose successor comes a little later fails no call either', async () => {
  carriedOut = new Map();
  servers = [await startServer()];
  const { calls, failures } = await loadDuring(async () => {
    const { port, stop } = servers[0] as GrpcServer;
    await stop(stopMs);
    await delay(700);
    servers[0] = await startServer(port);
    const before = carriedOut.size;
    while (carriedOut.size < before + 200) await delay(1);
  });
  expect(failures).toEqual([]);
  expect([carriedOut.size, [...carriedOut.values()].filter((times) => times !== 1)]).toEqual([calls, []]);
});
