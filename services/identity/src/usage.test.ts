import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { newId } from '#platform/ids.ts';
import { createQuotas } from '#platform/mongo/quota.ts';
import { connectRedis, type RedisClient } from '#platform/redis/redis.ts';
import { createTestLogger, testComponent } from '#platform/testing.ts';
import { flushUsage } from './domain/flush-usage.ts';
import { createApiKeyStore } from './store/api-key-store.ts';
import { createUsageCounters } from './store/usage-counters.ts';
import { createUsageStore } from './store/usage-store.ts';
import { anonymous, type IdentityUnderTest, provisionTestMerchant, startIdentity } from './testing.ts';

const flushMs = 20;
const plain = { name: 'Shop', scopes: [], fullAccess: false, expiresAt: undefined, sandbox: false };
let redisUrl: string;
let redis: RedisClient;
/** Stores nothing by itself, so that counters and stored counts can differ. */
let identity: IdentityUnderTest;
let merchant: Awaited<ReturnType<typeof provisionTestMerchant>>;

beforeAll(async () => {
  const url = new URL(testComponent('TEST_REDIS_URL'));
  // A Redis database of its own: the shared stack stores what is marked in the usual one.
  url.pathname = '/7';
  redisUrl = url.href;
  redis = await connectRedis(redisUrl, createTestLogger());
  identity = await startIdentity({ redisUrl });
  merchant = await provisionTestMerchant(identity);
});
beforeEach(() => redis.flushDb());
afterAll(async () => {
  redis.destroy();
  await identity.stop();
});

const month = () => identity.now().toISOString().slice(0, 7);
/** As a gateway counts. */
async function count(keyId: string, calls: number, of = month()) {
  await redis.multi().set(`usage:{${keyId}}:${of}`, String(calls)).sAdd('usage:dirty', `${keyId}:${of}`).exec();
}
const marks = () => redis.sCard('usage:dirty');
const create = () => identity.client.createKey(plain, merchant.caller);
const usage = async (id: string) => (await identity.client.getKeyUsage({ id }, merchant.caller)).months;
const rows = () => identity.database.connection.collection('key_usage');
const metering = async (secret: string | undefined) =>
  (await identity.client.authenticate({ credential: secret ?? '' }, anonymous)).metering;

async function until(condition: () => Promise<boolean>): Promise<void> {
  const giveUpAt = Date.now() + 20_000;
  while (!(await condition())) {
    if (Date.now() > giveUpAt) throw new Error('waited in vain');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Stores what is marked, as the loop does. */
async function flush(of = identity): Promise<void> {
  const { connection } = of.database;
  await flushUsage({
    apiKeys: createApiKeyStore(connection, createQuotas(connection)),
    usage: createUsageStore(connection),
    usageCounters: createUsageCounters(redis),
    now: of.now,
  });
  expect(await marks()).toBe(0);
}

test('a key that was never used has no calls in the month under way', async () => {
  const { id, secret } = await create();
  expect(await identity.client.getKeyUsage({ id }, merchant.caller)).toEqual({
    plan: 'free',
    limits: { perMinute: 60, perHour: 1_000, perMonth: 10_000n },
    months: [{ month: month(), calls: 0n }],
  });
  expect(await metering(secret)).toMatchObject({ month: month(), calls: 0n });
});

test('counted calls are stored, told by Authenticate, and date the last use', async () => {
  const { id, secret } = await create();
  await count(id, 41);
  expect(await usage(id)).toEqual([{ month: month(), calls: 41n }]);
  expect(await metering(secret)).toMatchObject({ calls: 0n });
  await flush();
  expect(await metering(secret)).toMatchObject({ month: month(), calls: 41n });
  const { keys } = await identity.client.listKeys({}, merchant.caller);
  const lastUsedAt = keys.find((key) => key.id === id)?.lastUsedAt;
  expect(lastUsedAt).toBeInstanceOf(Date);
  expect(await identity.client.freezeKey({ id }, merchant.caller)).toMatchObject({ lastUsedAt });
  expect(await identity.client.unfreezeKey({ id }, merchant.caller)).toMatchObject({ lastUsedAt });
  expect(await identity.client.rotateKey({ id, graceHours: 0 }, merchant.caller)).toMatchObject({ lastUsedAt });
});

test('the greater of counter and store is told, and the store is never lowered', async () => {
  const { id, secret } = await create();
  await count(id, 100);
  await flush();
  await count(id, 130);
  expect(await usage(id)).toEqual([{ month: month(), calls: 130n }]);
  await count(id, 3);
  expect(await usage(id)).toEqual([{ month: month(), calls: 100n }]);
  await flush();
  expect(await metering(secret)).toMatchObject({ calls: 100n });
});

test('a Redis that lost everything loses no count', async () => {
  const { id, secret } = await create();
  await count(id, 77);
  await flush();
  await redis.flushDb();
  expect(await metering(secret)).toMatchObject({ calls: 77n });
  expect(await usage(id)).toEqual([{ month: month(), calls: 77n }]);
});

test('a month ends at midnight UTC, and the next begins at nothing', async () => {
  const own = await startIdentity({ redisUrl });
  try {
    const { caller } = await provisionTestMerchant(own);
    const { id, secret = '' } = await own.client.createKey(plain, caller);
    const now = own.now();
    const lastMoment = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1) - 60_000;
    own.advance(lastMoment - now.getTime());
    const ending = own.now().toISOString().slice(0, 7);
    await count(id, 9_999, ending);
    const told = async () => (await own.client.authenticate({ credential: secret }, anonymous)).metering?.month;
    expect(await told()).toBe(ending);
    await flush(own);
    own.advance(61_000);
    const beginning = own.now().toISOString().slice(0, 7);
    expect(beginning > ending).toBe(true);
    const { metering: next } = await own.client.authenticate({ credential: secret }, anonymous);
    expect(next).toMatchObject({ month: beginning, calls: 0n });
    expect((await own.client.getKeyUsage({ id }, caller)).months).toEqual([
      { month: beginning, calls: 0n },
      { month: ending, calls: 9_999n },
    ]);
  } finally {
    await own.stop();
  }
});

test('at most 13 months are told, newest first', async () => {
  const { id } = await create();
  const years = ['2023', '2024'];
  const months = years.flatMap((year) =>
    Array.from({ length: 12 }, (_, at) => `${year}-${String(at + 1).padStart(2, '0')}`),
  );
  for (const [at, of] of months.entries()) await count(id, at + 1, of);
  await flush();
  const told = await usage(id);
  expect(told).toHaveLength(13);
  expect(told[0]).toEqual({ month: month(), calls: 0n });
  expect(told.slice(1).map((one) => one.month)).toEqual(months.slice(-12).reverse());
});

describe('a deleted key', () => {
  test('keeps its usage, the last seconds of it too', async () => {
    const { id } = await create();
    await count(id, 555);
    await identity.client.deleteKey({ id }, merchant.caller);
    await flush();
    expect(await usage(id)).toEqual([{ month: month(), calls: 555n }]);
    expect(await rows().countDocuments({ calls: 555 })).toBe(1);
  });

  test("is another merchant's to nobody else", async () => {
    const { id } = await create();
    await identity.client.deleteKey({ id }, merchant.caller);
    const rival = await provisionTestMerchant(identity);
    await expect(identity.client.getKeyUsage({ id }, rival.caller)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('storing', () => {
  test('takes off marks that stand for nothing, and stores the rest', async () => {
    const { id } = await create();
    await redis.sAdd('usage:dirty', ['rubbish', `${id}:2026-13`, `${id}:2020-01`, '']);
    await count(newId(), 1_212);
    await redis.set(`usage:{${id}}:2020-02`, 'no number');
    await redis.sAdd('usage:dirty', `${id}:2020-02`);
    await count(id, 6);
    await flush();
    expect(await usage(id)).toEqual([{ month: month(), calls: 6n }]);
    expect(await rows().countDocuments({ calls: 1_212 })).toBe(0);
  });

  test('goes through more than one batch', async () => {
    const { id } = await create();
    const years = Array.from({ length: 110 }, (_, at) => String(1900 + at));
    const months = years.flatMap((year) =>
      Array.from({ length: 12 }, (_, at) => `${year}-${String(at + 1).padStart(2, '0')}`),
    );
    await redis.mSet(Object.fromEntries(months.map((of, at) => [`usage:{${id}}:${of}`, String(at + 1)])));
    await redis.sAdd(
      'usage:dirty',
      months.map((of) => `${id}:${of}`),
    );
    await flush();
    expect(await rows().countDocuments({ month: { $lt: '2010' } })).toBe(months.length);
    expect((await usage(id))[1]).toEqual({ month: '2009-12', calls: 1_320n });
  });

  test('is done by one replica at a time, and by the other when that one stops', async () => {
    const { id } = await create();
    const [one, other] = [
      await startIdentity({ redisUrl, replicaOf: identity, usageFlushMs: flushMs }),
      await startIdentity({ redisUrl, replicaOf: identity, usageFlushMs: flushMs }),
    ];
    try {
      await count(id, 1);
      await until(async () => (await marks()) === 0);
      const leases = identity.database.connection.collection('leases');
      expect(await leases.countDocuments({ _id: 'usage-flush' as never })).toBe(1);
      await one.stop();
      await count(id, 2);
      await until(async () => (await marks()) === 0);
      expect(await usage(id)).toEqual([{ month: month(), calls: 2n }]);
    } finally {
      await other.stop();
    }
  });
});
