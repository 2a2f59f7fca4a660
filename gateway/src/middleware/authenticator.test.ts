import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { AppError, unavailable } from '#platform/errors.ts';
import { connectRedis, type RedisClient } from '#platform/redis/redis.ts';
import { createTestLogger, testCaller, testComponent } from '#platform/testing.ts';
import type { Clients } from '../clients.ts';
import { principal, startTestGateway, type TestGateway } from '../testing.ts';
import { Authenticator } from './authenticator.ts';
import { everything, revocationChannel } from './revocations.ts';

let gateways: TestGateway[];
let gateway: TestGateway;
let redis: RedisClient;
beforeAll(async () => {
  redis = await connectRedis(testComponent('TEST_REDIS_URL'), createTestLogger());
  gateways = [await startTestGateway(), await startTestGateway()];
  gateway = gateways[0] as TestGateway;
});
beforeEach(() => {
  for (const one of gateways) one.reset();
});
afterAll(async () => {
  for (const one of gateways) await one.stop();
  redis.destroy();
});

let made = 0;
/** A credential that no test has used before. */
const fresh = () => {
  made += 1;
  return `key:giftcards:read,${made}`;
};
const whoAmI = (token: string, of = gateway) => of.send('GET', '/v2/token', { token });
const lookUps = (of = gateway) => of.calls.filter(({ rpc }) => rpc === 'authenticate').length;

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const giveUpAt = Date.now() + 20_000;
  while (!(await condition())) {
    if (Date.now() > giveUpAt) throw new Error('waited in vain');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

test('a known credential costs no call; misses at the same time share one', async () => {
  const token = fresh();
  await Promise.all(Array.from({ length: 20 }, () => whoAmI(token)));
  expect(lookUps()).toBe(1);
  expect((await whoAmI(token)).status).toBe(200);
  expect(lookUps()).toBe(1);
  expect(gateway.calls[0]?.caller).toMatchObject({ kind: 'anonymous', merchantId: '' });
});

test('a refused credential is remembered for a second only', async () => {
  const token = fresh();
  gateway.answer({ authenticate: () => Promise.reject(new AppError('unauthenticated', 'x', 'No.')) });
  expect([(await whoAmI(token)).status, (await whoAmI(token)).status]).toEqual([401, 401]);
  expect(lookUps()).toBe(1);
  gateway.reset();
  await until(async () => (await whoAmI(token)).status === 200);
});

test('that identity was away is not remembered', async () => {
  const token = fresh();
  gateway.answer({ authenticate: () => Promise.reject(unavailable()) });
  expect((await whoAmI(token)).status).toBe(503);
  gateway.reset();
  expect((await whoAmI(token)).status).toBe(200);
});

test('a credential is not remembered beyond its own end', async () => {
  const token = fresh();
  gateway.answer({ authenticate: async () => principal({ expiresAt: new Date(Date.now() - 1) }) });
  await whoAmI(token);
  await whoAmI(token);
  expect(lookUps()).toBe(2);
});

test('a revocation reaches every gateway at once', async () => {
  const token = fresh();
  for (const one of gateways) {
    one.answer({ authenticate: async () => principal({ credentialId: 'f00000000000000000000077' }) });
    expect((await whoAmI(token, one)).status).toBe(200);
    one.answer({ authenticate: () => Promise.reject(new AppError('unauthenticated', 'x', 'No.')) });
  }
  const startedAt = Date.now();
  await redis.publish(revocationChannel, 'f00000000000000000000077');
  for (const one of gateways) await until(async () => (await whoAmI(token, one)).status === 401);
  // Well before the 30 s after which they would have forgotten it by themselves.
  expect(Date.now() - startedAt).toBeLessThan(3_000);
});

test.each([
  ['its user', { userId: 'f00000000000000000000081' }],
  ['its merchant', { merchantId: 'f00000000000000000000082' }],
])('word of %s reaches every gateway at once too', async (_whose, ids) => {
  const token = fresh();
  for (const one of gateways) {
    one.answer({ authenticate: async () => principal({ kind: 'api_key', ...ids }) });
    expect((await whoAmI(token, one)).status).toBe(200);
    one.answer({ authenticate: async () => principal({ kind: 'api_key', ...ids, frozen: true }) });
  }
  await redis.publish(revocationChannel, String(Object.values(ids)[0]));
  for (const one of gateways) await until(async () => (await whoAmI(token, one)).status === 402);
});

test('a frozen key is refused with 402 on every route, also where its kind may not call', async () => {
  gateway.answer({ authenticate: async () => principal({ kind: 'api_key', frozen: true }) });
  for (const path of ['/v2/token', '/v2/loyalty/programs', '/v2/keys']) {
    const reply = await gateway.send('GET', path, { token: 'key:frozen' });
    expect([reply.status, reply.body.code, reply.body.status]).toEqual([402, 'key_frozen', 402]);
  }
});

test('word of a user who is active again ends what was remembered of the refusal', async () => {
  const userId = 'f00000000000000000000091';
  const inactive = new AppError('unauthenticated', 'unauthorized', 'No.', { userId });
  const identity = { authenticate: () => Promise.reject(inactive) } as unknown as Clients['identity'];
  const authenticator = new Authenticator(identity, 30_000);
  const verdict = await authenticator.lookUp('Bearer x', testCaller());
  // Whose credential it is stays here.
  expect(verdict).toMatchObject({ refusal: { code: 'unauthorized', details: {} } });
  authenticator.forget('f00000000000000000000092');
  expect(authenticator.known('Bearer x')).toBe(verdict);
  authenticator.forget(userId);
  expect(authenticator.known('Bearer x')).toBeUndefined();
});

test('word that some word was lost makes every gateway ask again', async () => {
  const token = fresh();
  for (const one of gateways) {
    expect((await whoAmI(token, one)).status).toBe(200);
    one.answer({ authenticate: async () => principal({ kind: 'api_key', frozen: true }) });
  }
  const startedAt = Date.now();
  await redis.publish(revocationChannel, everything);
  for (const one of gateways) await until(async () => (await whoAmI(token, one)).status === 402);
  expect(Date.now() - startedAt).toBeLessThan(3_000);
});

test('a revocation of another credential drops nothing', async () => {
  const token = fresh();
  await whoAmI(token);
  const canary = fresh();
  gateway.answer({ authenticate: async () => principal({ credentialId: 'f00000000000000000000078' }) });
  await whoAmI(canary);
  const before = lookUps();
  await redis.publish(revocationChannel, 'f00000000000000000000078');
  await until(async () => {
    await whoAmI(canary);
    return lookUps() > before;
  });
  const after = lookUps();
  await whoAmI(token);
  expect(lookUps()).toBe(after);
});

test.each([
  ['revoked', 401, () => Promise.reject(new AppError('unauthenticated', 'x', 'No.'))],
  ['frozen', 402, async () => principal({ frozen: true })],
  ['rotated with a grace period', 200, async () => principal({})],
])('a look-up that is overtaken by word that the key was %s is made again', async (_what, status, then) => {
  const token = fresh();
  const revoked = 'f00000000000000000000079';
  let release = () => undefined as undefined;
  const held = new Promise<void>((resolve) => {
    release = () => void resolve() as undefined;
  });
  gateway.answer({
    authenticate: async () => {
      await held;
      gateway.answer({ authenticate: then });
      return principal({ credentialId: revoked });
    },
  });
  const canary = fresh();
  const first = whoAmI(token);
  await until(() => lookUps() === 1);
  // The canary's revocation is seen after the first one, since messages come in order.
  const observer = gateways[1] as TestGateway;
  observer.answer({ authenticate: async () => principal({ credentialId: revoked }) });
  await whoAmI(canary, observer);
  const before = lookUps(observer);
  await redis.publish(revocationChannel, revoked);
  await until(async () => {
    await whoAmI(canary, observer);
    return lookUps(observer) > before;
  });
  await redis.ping();
  release();
  expect((await first).status).toBe(status);
  expect((await whoAmI(token)).status).toBe(status);
  expect(lookUps()).toBe(2);
});

test.each(['', 'Basic dXNlcg==', 'Bearer', 'Bearer a b', `Bearer ${'x'.repeat(5_000)}`])(
  'the header %j is no credential, and asks nobody',
  async (authorization) => {
    const reply = await gateway.send('GET', '/v2/token', { headers: { authorization } });
    expect(reply.status).toBe(401);
    expect(lookUps()).toBe(0);
  },
);

test('deleting a key forgets it on this gateway without waiting for word', async () => {
  const token = fresh();
  gateway.answer({ authenticate: async () => principal({ credentialId: 'e00000000000000000000001', kind: 'user' }) });
  await whoAmI(token);
  await gateway.send('DELETE', '/v2/keys/e00000000000000000000001', { token });
  const before = lookUps();
  await whoAmI(token);
  expect(lookUps()).toBe(before + 1);
});

test('no log line holds a credential', async () => {
  gateway.answer({ getUser: () => Promise.reject(new Error('bug')) });
  await whoAmI('key:sesame-open');
  expect(gateway.logs.length).toBeGreaterThan(0);
  expect(gateway.logs.join('')).not.toContain('sesame-open');
});
