import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '#platform/ids.ts';
import {
  anonymous,
  type IdentityUnderTest,
  listenForRevocations,
  operator,
  provisionTestMerchant,
  startIdentity,
} from './testing.ts';

let identity: IdentityUnderTest;
let merchant: Awaited<ReturnType<typeof provisionTestMerchant>>;
let revocations: Awaited<ReturnType<typeof listenForRevocations>>;

beforeAll(async () => {
  identity = await startIdentity();
  revocations = await listenForRevocations();
  merchant = await provisionTestMerchant(identity);
});
afterAll(async () => {
  revocations.stop();
  await identity.stop();
});

const usual = { perMinute: 60, perHour: 1_000, perMonth: 10_000n };
const users = () => identity.database.connection.collection('users');

describe('who may set a plan', () => {
  test('no merchant, no key, nobody', async () => {
    const request = { merchantId: merchant.user.id, plan: 'paid' };
    const forbidden = { kind: 'forbidden', code: 'forbidden' };
    for (const kind of ['user', 'app_key', 'api_key', 'anonymous'] as const) {
      const caller = { ...merchant.caller, kind };
      await expect(identity.client.setMerchantPlan(request, caller)).rejects.toMatchObject(forbidden);
      await expect(identity.client.getMerchantPlan(request, caller)).rejects.toMatchObject(forbidden);
    }
  });

  test('an administrator who is logged in, while active, but no key of theirs', async () => {
    const admin = await provisionTestMerchant(identity);
    await users().updateOne({ email: admin.email }, { $set: { admin: true } });
    const request = { merchantId: merchant.user.id, plan: 'free' };
    await expect(identity.client.setMerchantPlan(request, admin.caller)).resolves.toMatchObject({ plan: 'free' });
    const asKey = { ...admin.caller, kind: 'app_key' } as const;
    await expect(identity.client.setMerchantPlan(request, asKey)).rejects.toMatchObject({ code: 'forbidden' });
    const entry = await identity.database.connection.collection('audit_logs').findOne({ action: 'plan_changed' });
    expect(entry).toMatchObject({ resourceId: merchant.user.id, resourceName: 'Shop Ltd', actorId: admin.user.id });
    await users().updateOne({ email: admin.email }, { $set: { active: false } });
    await expect(identity.client.setMerchantPlan(request, admin.caller)).rejects.toMatchObject({ code: 'forbidden' });
  });
});

describe("a merchant's plan", () => {
  test('is free until another is set', async () => {
    const { user } = await provisionTestMerchant(identity);
    const plan = await identity.client.getMerchantPlan({ merchantId: user.id }, operator);
    expect(plan).toEqual({ merchantId: user.id, plan: 'free', limits: usual });
  });

  test.each(['x', '', newId()])('of nobody, "%s", is not found', async (merchantId) => {
    const missing = { kind: 'not_found', code: 'merchant_not_found' };
    await expect(identity.client.getMerchantPlan({ merchantId }, operator)).rejects.toMatchObject(missing);
    await expect(identity.client.setMerchantPlan({ merchantId, plan: 'paid' }, operator)).rejects.toMatchObject(
      missing,
    );
  });

  test('names every fault', async () => {
    const broken = { merchantId: merchant.user.id, plan: 'gold', perMinute: 0, perHour: -1, perMonth: 10n ** 15n };
    const error = await identity.client.setMerchantPlan(broken, operator).catch((thrown) => thrown);
    const faults = error.details.detail.map(({ loc }: { loc: string[] }) => loc.join('.'));
    expect(faults).toEqual(['body.plan', 'body.perMinute', 'body.perHour', 'body.perMonth']);
  });

  test('reaches its live and its test keys, and the gateways are told of both merchants', async () => {
    const { user, caller } = await provisionTestMerchant(identity);
    const of = (sandbox: boolean) =>
      identity.client.createKey({ name: 'K', scopes: [], fullAccess: false, expiresAt: undefined, sandbox }, caller);
    const keys = [await of(false), await of(true)];
    const principals = () =>
      Promise.all(keys.map(({ secret }) => identity.client.authenticate({ credential: secret ?? '' }, anonymous)));
    for (const { metering } of await principals()) expect(metering).toMatchObject(usual);
    await identity.client.setMerchantPlan({ merchantId: user.id, plan: 'paid', perMinute: 7 }, operator);
    for (const { metering, merchantId } of await principals()) {
      expect(metering).toMatchObject({ perMinute: 7, perHour: 1_000, perMonth: undefined });
      await revocations.told(merchantId);
    }
    // The whole plan is replaced: what is left out is the plan's own again.
    await identity.client.setMerchantPlan({ merchantId: user.id, plan: 'free', perMonth: 5n }, operator);
    for (const { metering } of await principals()) expect(metering).toMatchObject({ ...usual, perMonth: 5n });
  });

  test('can come with the merchant', async () => {
    const request = { email: `p-${newId()}@example.com`, password: 'correct horse', name: 'P', company: 'P' };
    const plan = { merchantId: '', plan: 'paid', perHour: 9 };
    const user = await identity.client.provisionMerchant({ ...request, plan }, operator);
    const limits = { perMinute: 60, perHour: 9, perMonth: undefined };
    const given = await identity.client.getMerchantPlan({ merchantId: user.id }, operator);
    expect(given).toEqual({ merchantId: user.id, plan: 'paid', limits });
    await identity.client.provisionMerchant(request, operator);
    expect(await identity.client.getMerchantPlan({ merchantId: user.id }, operator)).toEqual(given);
  });
});
