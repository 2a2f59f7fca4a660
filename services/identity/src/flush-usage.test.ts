import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { connectRedis, type RedisClient } from '#platform/redis/redis.ts';
import { createTestLogger, testComponent } from '#platform/testing.ts';
import { flushUsage } from './domain/flush-usage.ts';
import type { UsageCounters } from './domain/ports.ts';
import { createUsageCounters } from './store/usage-counters.ts';

const key = 'f00000000000000000000001';
const month = '2026-11';
const mark = `${key}:${month}`;
const counter = `usage:{${key}}:${month}`;
let redis: RedisClient;
let counters: UsageCounters;

beforeAll(async () => {
  const url = new URL(testComponent('TEST_REDIS_URL'));
  url.pathname = '/6';
  redis = await connectRedis(url.href, createTestLogger());
  counters = createUsageCounters(redis);
});
beforeEach(async () => {
  await redis.flushDb();
  await redis.multi().set(counter, '5').sAdd('usage:dirty', mark).exec();
});
afterAll(() => redis.destroy());

const owners = async () => new Map([[key, 'a00000000000000000000001']]);
const now = () => new Date();

/** One run, in which MongoDB does as told. */
function run(raise: (calls: number[]) => Promise<void>, merchantsOf: () => Promise<Map<string, string>> = owners) {
  return flushUsage({
    now,
    usageCounters: counters,
    apiKeys: { merchantsOf },
    usage: { raise: (counts: readonly { calls: number }[]) => raise(counts.map(({ calls }) => calls)) },
  } as unknown as Parameters<typeof flushUsage>[0]);
}

test('a mark goes once its count is stored', async () => {
  const stored: number[][] = [];
  await run(async (calls) => void stored.push(calls));
  expect(stored).toEqual([[5]]);
  expect(await redis.sMembers('usage:dirty')).toEqual([]);
});

test.each([
  ['asked whose keys they are', undefined],
  ['told to store', async () => Promise.reject(new Error('gone'))],
])('a mark stays when MongoDB goes away as it is %s', async (_when, raise) => {
  const fails = () => Promise.reject(new Error('gone'));
  await expect(run(raise ?? (async () => undefined), raise === undefined ? fails : owners)).rejects.toThrow('gone');
  expect(await redis.sMembers('usage:dirty')).toEqual([mark]);
});

test('a run that is killed after it stored leaves the mark, and the next run stores the same again', async () => {
  const killed = { ...counters, settle: () => Promise.reject(new Error('killed')) };
  const stored: number[][] = [];
  const raise = async (calls: number[]) => void stored.push(calls);
  const context = { now, usageCounters: killed, apiKeys: { merchantsOf: owners } };
  const store = { raise: (counts: readonly { calls: number }[]) => raise(counts.map(({ calls }) => calls)) };
  await expect(flushUsage({ ...context, usage: store } as never)).rejects.toThrow('killed');
  expect(await redis.sMembers('usage:dirty')).toEqual([mark]);
  await run(raise);
  expect(stored).toEqual([[5], [5]]);
  expect(await redis.sMembers('usage:dirty')).toEqual([]);
});

test('a call counted while the count is being stored keeps its mark', async () => {
  await run(async () => void (await redis.multi().incr(counter).sAdd('usage:dirty', mark).exec()));
  expect(await redis.sMembers('usage:dirty')).toEqual([mark]);
  const stored: number[][] = [];
  await run(async (calls) => void stored.push(calls));
  expect(stored).toEqual([[6]]);
});

test('a counter that is lost while its count is being stored keeps its mark for one run more', async () => {
  await run(async () => void (await redis.del(counter)));
  expect(await redis.sMembers('usage:dirty')).toEqual([mark]);
  await run(async () => undefined);
  expect(await redis.sMembers('usage:dirty')).toEqual([]);
});

describe('what operators are told', () => {
  const waiting = () => counters.waiting();
  const storedAt = async () => Number(await redis.get('usage:stored-at'));

  test('the age counts from the last run that stored everything, also when later ones fail', async () => {
    await redis.set('usage:stored-at', String(Date.now() - 60_000));
    await expect(run(() => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
    const { counters: count, ageMs } = await waiting();
    expect(count).toBe(1);
    expect(ageMs).toBeGreaterThanOrEqual(60_000);
  });

  test('a run tells when it began, so what was marked meanwhile is no younger than that', async () => {
    let raisedAt = 0;
    await run(async () => {
      raisedAt = Date.now();
      await redis.multi().incr(counter).sAdd('usage:dirty', mark).exec();
    });
    expect(await storedAt()).toBeGreaterThan(0);
    expect(await storedAt()).toBeLessThanOrEqual(raisedAt);
    expect((await waiting()).counters).toBe(1);
    await run(async () => undefined);
    expect(await waiting()).toEqual({ counters: 0, ageMs: 0 });
  });

  test('of a Redis that knows of no run the age counts from the first look', async () => {
    expect((await waiting()).ageMs).toBeLessThan(5_000);
    const first = await storedAt();
    await redis.set('usage:stored-at', String(first - 9_000));
    expect((await waiting()).ageMs).toBeGreaterThanOrEqual(9_000);
  });
});

test('while Redis is away no counter is told, and nobody waits', async () => {
  const away = createUsageCounters({ isReady: false } as unknown as RedisClient);
  expect(await away.read(key, [month])).toEqual([]);
});
