import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { testCaller } from '#platform/testing.ts';
import { anonymous, type IdentityUnderTest, provisionTestMerchant, startIdentity } from './testing.ts';

const sandboxed = { name: 'Test', scopes: ['loyalty:read'], fullAccess: false, expiresAt: undefined, sandbox: true };
let identity: IdentityUnderTest;

beforeAll(async () => {
  identity = await startIdentity();
});
afterAll(() => identity.stop());

const principalOf = (credential: string | undefined) =>
  identity.client.authenticate({ credential: credential ?? '' }, anonymous);

test('a test key stands for a twin of the merchant, always the same', async () => {
  const { user, caller } = await provisionTestMerchant(identity);
  const [one, other] = [
    await identity.client.createKey(sandboxed, caller),
    await identity.client.createKey(sandboxed, caller),
  ];
  expect(one.secret).toMatch(/^tc_test_[0-9A-Za-z]{40}$/);
  expect(one).toMatchObject({ sandbox: true, prefix: one.secret?.slice(0, 12) });
  const principal = await principalOf(one.secret);
  expect(principal).toMatchObject({ kind: 'api_key', userId: user.id, sandbox: true, credentialId: one.id });
  expect(principal.merchantId).toMatch(/^[0-9a-f]{24}$/);
  expect(principal.merchantId).not.toBe(user.id);
  expect((await principalOf(other.secret)).merchantId).toBe(principal.merchantId);
  const live = await identity.client.createKey({ ...sandboxed, sandbox: false }, caller);
  expect(await principalOf(live.secret)).toMatchObject({ merchantId: user.id, sandbox: false });
});

test('first test keys made at once make one twin', async () => {
  const { caller } = await provisionTestMerchant(identity);
  const keys = await Promise.all(Array.from({ length: 8 }, () => identity.client.createKey(sandboxed, caller)));
  const principals = await Promise.all(keys.map(({ secret }) => principalOf(secret)));
  expect(new Set(principals.map(({ merchantId }) => merchantId)).size).toBe(1);
});

test("no two merchants' twins are the same", async () => {
  const twins = new Set<string>();
  for (let made = 0; made < 3; made += 1) {
    const { caller } = await provisionTestMerchant(identity);
    twins.add((await principalOf((await identity.client.createKey(sandboxed, caller)).secret)).merchantId);
  }
  expect(twins.size).toBe(3);
});

test('a rotated test key stays one', async () => {
  const { caller } = await provisionTestMerchant(identity);
  const before = await identity.client.createKey(sandboxed, caller);
  const after = await identity.client.rotateKey({ id: before.id, graceHours: 0 }, caller);
  expect(after.secret).toMatch(/^tc_test_/);
  expect(after.sandbox).toBe(true);
  expect(await principalOf(after.secret)).toMatchObject({ sandbox: true });
});

test('is shown its own merchant id, with the same user', async () => {
  const { user, caller } = await provisionTestMerchant(identity);
  const { secret, id } = await identity.client.createKey(sandboxed, caller);
  const { merchantId, userId } = await principalOf(secret);
  const asKey = testCaller({ kind: 'api_key', merchantId, userId, credentialId: id });
  expect(await identity.client.getUser({}, asKey)).toEqual({ ...user, id: merchantId });
  expect(await identity.client.getUser({}, caller)).toEqual(user);
});
