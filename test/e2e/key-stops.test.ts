import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestGateway, type TestGateway, type TestOverrides } from '../../gateway/src/testing.ts';
import {
  callerOf,
  type IdentityUnderTest,
  operator,
  provisionTestMerchant,
  startIdentity,
} from '../../services/identity/src/testing.ts';
import { until } from '../support/api.ts';

/** Of gateways that have to forget by themselves. */
const credentialsKnownMsMax = 3_000;
const plain = { name: 'Shop', scopes: [], fullAccess: false, expiresAt: undefined, sandbox: false };
let identity: IdentityUnderTest;
let gateways: TestGateway[];
let overrides: TestOverrides;
let merchant: Awaited<ReturnType<typeof provisionTestMerchant>>;

beforeAll(async () => {
  identity = await startIdentity();
  const { address, config } = identity;
  const addresses = { identity: address, loyalty: address, templates: address, giftcards: address, webhooks: address };
  overrides = { addresses, callerSecret: config.callerSecret, credentialsKnownMsMax };
  gateways = await Promise.all([startTestGateway(overrides), startTestGateway(overrides)]);
  merchant = await provisionTestMerchant(identity);
});
afterAll(async () => {
  for (const gateway of gateways) await gateway.stop();
  await identity.stop();
});

const statuses = (secret: string) =>
  Promise.all(gateways.map(async (gateway) => (await gateway.send('GET', '/v2/token', { token: secret })).status));
const allAre = async (secret: string, status: number) => (await statuses(secret)).every((one) => one === status);

/** A key that both gateways know, and go on knowing for some seconds unless they hear of a change. */
async function knownKey() {
  const key = await identity.client.createKey(plain, merchant.caller);
  const secret = key.secret ?? '';
  expect(await statuses(secret)).toEqual([200, 200]);
  return { id: key.id, secret };
}

/** After how long a request that is begun then is answered with `status` by both gateways, however slow the machine. */
async function msUntil(secret: string, status: number): Promise<number> {
  const startedAt = performance.now();
  let begunAt = startedAt;
  await until(`both gateways answer ${status}`, () => {
    begunAt = performance.now();
    return allAre(secret, status);
  });
  return begunAt - startedAt;
}

const changes: [string, number, (id: string) => Promise<unknown>][] = [
  ['deleted', 401, (id) => identity.client.deleteKey({ id }, merchant.caller)],
  ['rotated without grace', 401, (id) => identity.client.rotateKey({ id, graceHours: 0 }, merchant.caller)],
  ['frozen', 402, (id) => identity.client.freezeKey({ id }, merchant.caller)],
];

test.each(changes)('a key that is %s is refused by every gateway within a second', async (_what, status, change) => {
  const { id, secret } = await knownKey();
  await change(id);
  expect(await msUntil(secret, status)).toBeLessThan(1_000);
});

test('a key that is unfrozen works at every gateway within a second', async () => {
  const { id, secret } = await knownKey();
  await identity.client.freezeKey({ id }, merchant.caller);
  await msUntil(secret, 402);
  await identity.client.unfreezeKey({ id }, merchant.caller);
  expect(await msUntil(secret, 200)).toBeLessThan(1_000);
});

test('a key that is rotated with grace is not refused for a moment', async () => {
  const { id, secret } = await knownKey();
  let rotated = false;
  const seen = new Set<number>();
  const asking = (async () => {
    for (let round = 0; round < 5 || !rotated; round += 1) for (const one of await statuses(secret)) seen.add(one);
  })();
  const after = await identity.client.rotateKey({ id, graceHours: 1 }, merchant.caller);
  expect(await statuses(after.secret ?? '')).toEqual([200, 200]);
  rotated = true;
  await asking;
  expect([...seen]).toEqual([200]);
});

test('a plan that is changed holds at every gateway within a second', async () => {
  const own = await provisionTestMerchant(identity);
  const { secret = '' } = await identity.client.createKey(plain, own.caller);
  expect(await statuses(secret)).toEqual([200, 200]);
  await identity.client.setMerchantPlan({ merchantId: own.user.id, plan: 'free', perMonth: 1n }, operator);
  expect(await msUntil(secret, 429)).toBeLessThan(1_000);
  await identity.client.setMerchantPlan({ merchantId: own.user.id, plan: 'paid' }, operator);
  expect(await msUntil(secret, 200)).toBeLessThan(1_000);
});

test('an inactive user has no credential at any gateway within a second, and its keys again within another', async () => {
  const own = await provisionTestMerchant(identity);
  const login = { email: `admin-${own.email}`, password: own.password, name: 'Root', company: 'Platform' };
  const admin = callerOf(await identity.client.provisionMerchant({ ...login, admin: true }, operator));
  const { secret = '' } = await identity.client.createKey(plain, own.caller);
  const { token = '' } = await identity.client.createAppKey({ name: 'Till' }, own.caller);
  const { accessToken } = await identity.client.logIn({ email: own.email, password: own.password }, operator);
  const credentials = [secret, token, accessToken];
  for (const credential of credentials) expect(await statuses(credential)).toEqual([200, 200]);
  for (const [active, status] of [
    [false, 401],
    [true, 200],
  ] as const) {
    await identity.client.setUserActive({ userId: own.user.id, active }, admin);
    const stopped = active ? [secret, token] : credentials;
    for (const credential of stopped) expect(await msUntil(credential, status)).toBeLessThan(1_000);
  }
  // Its sessions are over for good.
  expect(await statuses(accessToken)).toEqual([401, 401]);
});

describe('when the word is lost', () => {
  const keys = () => identity.database.connection.collection('api_keys');
  const idOf = (id: string) => ({ _id: new identity.database.connection.base.mongo.ObjectId(id) });

  test('a key that was deleted, frozen or rotated is refused once the gateways have forgotten it', async () => {
    const [deleted, frozen, rotated] = [await knownKey(), await knownKey(), await knownKey()];
    const knownAt = performance.now();
    // As identity does it, but nobody is told.
    await keys().deleteOne(idOf(deleted.id));
    await keys().updateOne(idOf(frozen.id), { $set: { frozenAt: new Date() } });
    await keys().updateOne(idOf(rotated.id), { $set: { hash: 'another' } });
    expect(await statuses(rotated.secret)).toEqual([200, 200]);
    await Promise.all([msUntil(deleted.secret, 401), msUntil(frozen.secret, 402), msUntil(rotated.secret, 401)]);
    // Many times what the machine of a developer needs, and far less than for ever.
    expect(performance.now() - knownAt).toBeLessThan(20_000);
  });

  test('because identity was killed after its commit, its next start makes every gateway ask again', async () => {
    const patient = await startTestGateway({ ...overrides, credentialsKnownMsMax: 60_000 });
    const ask = async (secret: string) => (await patient.send('GET', '/v2/token', { token: secret })).status;
    try {
      const { id, secret } = await knownKey();
      expect(await ask(secret)).toBe(200);
      const knownAt = performance.now();
      await keys().deleteOne(idOf(id));
      const replica = await startIdentity({ replicaOf: identity, tellsAtStart: true });
      await until('the key is refused', async () => (await ask(secret)) === 401);
      expect(performance.now() - knownAt).toBeLessThan(30_000);
      await replica.stop();
    } finally {
      await patient.stop();
    }
  });
});
