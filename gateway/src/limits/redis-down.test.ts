import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createClient } from 'redis';
import { until } from '../../../test/support/api.ts';
import { OwnRedis } from '../../../test/support/own-redis.ts';
import { ids, noLimits, principal, startTestGateway, type TestGateway } from '../testing.ts';

const perUser = 20;
const card = `/v2/giftcards/programs/${ids.program}/cards/${ids.card}`;
const transfer = { securityCode: '123456', destinationCardNumber: '6034930000000017', amount: '1.00' };
let redis: OwnRedis;
let gateway: TestGateway;
beforeAll(async () => {
  redis = await OwnRedis.start();
  gateway = await startTestGateway({ redisUrl: redis.url, rateLimits: { ...noLimits, perUser } });
  gateway.answer({ authenticate: async ({ credential }) => principalOf(credential) });
});
afterAll(async () => {
  await gateway.stop();
  await redis.dispose();
});

const read = () => gateway.send('GET', card, { token: 'user' });
const moves = {
  transfer: () => gateway.send('POST', `${card}/transfer`, { token: 'user', body: transfer }),
  logIn: () => gateway.send('POST', '/v2/token', { body: { email: 'ada@example.com', password: 'x' } }),
  balanceCheck: () =>
    gateway.send('POST', '/v2/giftcards/customer/balance-check', {
      body: { cardNumber: '6034930000000017', securityCode: '123456' },
    }),
};

const keyId = 'e00000000000000000000001';
/** What stops a credential, or looks after it. */
const stops = [
  ['DELETE', `/v2/keys/${keyId}`],
  ['DELETE', `/v2/appkeys/${keyId}`],
  ...['freeze', 'unfreeze', 'rotate'].map((change) => ['POST', `/v2/keys/${keyId}/${change}`] as const),
  ...['deactivate', 'activate'].map((change) => ['POST', `/v2/admin/users/${keyId}/${change}`] as const),
] as const;

/** The administrator is a user of its own, whose limits the reads do not use up. */
const principalOf = (credential: string) =>
  credential === 'admin'
    ? principal({ admin: true, userId: keyId, credentialId: 'f00000000000000000000005' })
    : principal({});

/** What a command does on a connection of its own. */
async function onRedis<T>(work: (client: ReturnType<typeof createClient>) => Promise<T>): Promise<T> {
  const client = createClient({ url: redis.url });
  await client.connect();
  try {
    return await work(client as ReturnType<typeof createClient>);
  } finally {
    client.destroy();
  }
}

test('with a known credential a request is one call to Redis', async () => {
  await read();
  const calls = () =>
    onRedis(async (client) => Number(/cmdstat_evalsha:calls=(\d+)/.exec(await client.info('commandstats'))?.[1]));
  const before = await calls();
  for (let i = 0; i < 5; i += 1) expect((await read()).status).toBe(200);
  expect((await calls()) - before).toBe(5);
});

test('without Redis reads go on with limits of their own, all else is a 503, and it mends itself', async () => {
  await redis.stop();
  const replies = [];
  for (let i = 0; i < perUser + 2; i += 1) replies.push(await read());
  const passed = replies.filter(({ status }) => status === 200);
  expect(passed).toHaveLength(perUser);
  expect(passed.at(-1)?.headers.ratelimit).toMatch(/"per-user";r=0;t=\d+$/);
  expect(replies.at(-1)).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
  for (const send of Object.values(moves)) {
    const reply = await send();
    expect([reply.status, reply.body.code, reply.headers['retry-after']]).toEqual([503, 'unavailable', '1']);
  }
  expect((await gateway.send('GET', '/healthz')).status).toBe(200);
  for (const [method, path] of stops) {
    expect([path, (await gateway.send(method, path, { token: 'admin' })).status]).toEqual([path, 200]);
  }
  expect((await gateway.send('POST', '/v2/appkeys', { token: 'admin', body: { name: 'n' } })).status).toBe(503);
  const reached = gateway.calls.map(({ rpc }) => rpc);
  for (const rpc of ['transferBalance', 'logIn', 'checkBalance']) expect(reached).not.toContain(rpc);

  await redis.resume();
  await until('a transfer goes through', async () => (await moves.transfer()).status === 200);
  for (const send of Object.values(moves)) expect((await send()).status).toBe(200);
  const reply = await read();
  expect(reply.status).toBe(200);
  expect(await onRedis((client) => client.get(`limit:per-user:${ids.merchant}`))).toBe('3');
}, 60_000);

test('a Redis that hangs holds up nobody for long, and after the first nobody at all', async () => {
  await onRedis((client) => client.sendCommand(['CLIENT', 'PAUSE', '6000', 'ALL']));
  const startedAt = performance.now();
  const first = await Promise.all([read(), moves.transfer(), read()]);
  expect(first.map(({ status }) => status)).toEqual([200, 503, 200]);
  expect(performance.now() - startedAt).toBeLessThan(4_000);
  const then = performance.now();
  expect([(await read()).status, (await moves.logIn()).status]).toEqual([200, 503]);
  expect(performance.now() - then).toBeLessThan(1_000);
  await until('a transfer goes through', async () => (await moves.transfer()).status === 200);
}, 60_000);
