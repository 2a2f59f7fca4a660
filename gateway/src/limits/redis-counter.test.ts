import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { connectRedis, type RedisClient } from '#platform/redis/redis.ts';
import { createTestLogger } from '#platform/testing.ts';
import { testRedisUrl } from '../testing.ts';
import type { LimitGroup, Meter, Window } from './policy.ts';
import { RedisCounter } from './redis-counter.ts';

let redis: RedisClient;
let counter: RedisCounter;
beforeAll(async () => {
  redis = await connectRedis(testRedisUrl(), createTestLogger());
  counter = new RedisCounter(redis);
});
afterAll(() => redis.destroy());

const windowOf = (quota: number, windowMs = 60_000): Window => ({
  policy: { name: 'test', quota, windowMs },
  key: `test:${randomUUID()}`,
});

function meterOf(perMonth: number | undefined, callsStored = 0): Meter {
  const id = randomUUID();
  return {
    usageKey: `usage:{${id}}:2026-11`,
    dirtyMember: `${id}:2026-11`,
    callsStored,
    policy: perMonth === undefined ? undefined : { name: 'month', quota: perMonth, windowMs: 1 },
    endsAt: 0,
  };
}

/** Counts one after another; the counts of the first window. */
async function countsOf(group: LimitGroup, times: number): Promise<(number | undefined)[]> {
  const counts: (number | undefined)[] = [];
  for (let i = 0; i < times; i += 1) counts.push((await counter.count(group)).counts[0]);
  return counts;
}

test('counts go one over the quota, and stay there: who is refused is not counted', async () => {
  const window = windowOf(2);
  expect(await countsOf({ windows: [window] }, 5)).toEqual([1, 2, 3, 3, 3]);
  expect(await redis.get(window.key)).toBe('2');
});

test('a window begins with its first request, and ends by itself', async () => {
  const window = windowOf(1);
  expect(await counter.count({ windows: [window] })).toEqual({ counts: [1], leftMs: [60_000], calls: 0 });
  let again = await counter.count({ windows: [window] });
  expect(again.counts).toEqual([2]);
  expect(again.leftMs[0]).toBeLessThanOrEqual(60_000);
  await redis.pExpire(window.key, 1);
  while (again.counts[0] !== 1) again = await counter.count({ windows: [window] });
  expect(await redis.get(window.key)).toBe('1');
  expect(again.leftMs).toEqual([60_000]);
});

test('what one window refuses is counted in no other, and begins none', async () => {
  const [minute, hour, fresh] = [windowOf(1), windowOf(10, 3_600_000), windowOf(10)];
  await countsOf({ windows: [minute, hour] }, 4);
  expect(await redis.get(hour.key)).toBe('1');
  expect((await counter.count({ windows: [fresh, minute] })).counts).toEqual([1, 2]);
  expect(await redis.exists(fresh.key)).toBe(0);
});

test('a window that lost its end gets one', async () => {
  const window = windowOf(10);
  await redis.set(window.key, '3');
  expect(await counter.count({ windows: [window] })).toMatchObject({ counts: [4], leftMs: [60_000] });
});

test('metered calls are counted for 70 days, and named to identity', async () => {
  const meter = meterOf(undefined);
  const group = { windows: [windowOf(10)], meter };
  expect((await counter.count(group)).calls).toBe(1);
  expect((await counter.count(group)).calls).toBe(2);
  expect(await redis.get(meter.usageKey)).toBe('2');
  expect(await redis.sIsMember('usage:dirty', meter.dirtyMember)).toBe(1);
  const daysLeft = (await redis.ttl(meter.usageKey)) / 86_400;
  expect(daysLeft).toBeGreaterThan(69);
  expect(daysLeft).toBeLessThanOrEqual(70);
});

test('a lost or outdated counter starts again from the calls that are stored', async () => {
  const lost = meterOf(undefined, 41);
  expect((await counter.count({ windows: [], meter: lost })).calls).toBe(42);
  const outdated = meterOf(undefined, 41);
  await redis.set(outdated.usageKey, '7');
  expect((await counter.count({ windows: [], meter: outdated })).calls).toBe(42);
  const ahead = meterOf(undefined, 41);
  await redis.set(ahead.usageKey, '50');
  expect((await counter.count({ windows: [], meter: ahead })).calls).toBe(51);
});

test('the month ends at its bound, exactly, and then no window is counted', async () => {
  const meter = meterOf(3, 1);
  const window = windowOf(10);
  const calls = await Promise.all(Array.from({ length: 6 }, () => counter.count({ windows: [window], meter })));
  expect(calls.map((one) => one.calls)).toEqual([2, 3, 4, 4, 4, 4]);
  expect(await redis.get(meter.usageKey)).toBe('3');
  expect(await redis.get(window.key)).toBe('2');
});

test('a call that a window refuses is not metered', async () => {
  const meter = meterOf(100);
  await countsOf({ windows: [windowOf(2)], meter }, 2);
  const window = windowOf(1);
  await countsOf({ windows: [window], meter }, 5);
  expect(await redis.get(meter.usageKey)).toBe('3');
  const refusedFirst = meterOf(100);
  await counter.count({ windows: [windowOf(0)], meter: refusedFirst });
  expect(await redis.sIsMember('usage:dirty', refusedFirst.dirtyMember)).toBe(0);
});

test('what is only looked at refuses when it is full, and is not counted', async () => {
  const [window, other] = [windowOf(2), windowOf(10)];
  const look = { windows: [{ ...window, lookOnly: true as const }, other] };
  expect(await countsOf(look, 2)).toEqual([1, 1]);
  expect(await redis.exists(window.key)).toBe(0);
  await countsOf({ windows: [window] }, 2);
  expect(await redis.pTTL(window.key)).toBeGreaterThan(0);
  expect((await counter.count(look)).counts).toEqual([3, 3]);
  expect([await redis.get(window.key), await redis.get(other.key)]).toEqual(['2', '2']);
});

test('requests of one turn share a call, up to 128, and each gets its own answer', async () => {
  const call = jest.spyOn(redis, 'evalSha');
  const [shared, meter] = [windowOf(1_000), meterOf(undefined)];
  const groups = Array.from({ length: 300 }, (_, index): LimitGroup => {
    if (index % 3 === 0) return { windows: [shared] };
    return index % 3 === 1
      ? { windows: [windowOf(5), shared], meter }
      : { windows: [{ ...windowOf(5), lookOnly: true }, shared] };
  });
  const answers = await Promise.all(groups.map((group) => counter.count(group)));
  expect(call).toHaveBeenCalledTimes(3);
  expect(answers.map(({ counts }) => counts.at(-1))).toEqual(groups.map((_, index) => index + 1));
  expect(answers.filter((_, index) => index % 3 === 1).map(({ calls }) => calls)).toEqual(
    Array.from({ length: 100 }, (_, index) => index + 1),
  );
  call.mockRestore();
});

test('the script comes back when Redis has forgotten it', async () => {
  await redis.scriptFlush();
  expect((await counter.count({ windows: [windowOf(1)] })).counts).toEqual([1]);
});

test('calls that were counted elsewhere are added once, to no less than is stored, and named to identity', async () => {
  const [known, lost] = [meterOf(undefined, 4), meterOf(undefined, 10)];
  await counter.count({ windows: [], meter: known });
  await counter.addCalls([
    { meter: known, calls: 3 },
    { meter: lost, calls: 2 },
  ]);
  expect([await redis.get(known.usageKey), await redis.get(lost.usageKey)]).toEqual(['8', '12']);
  for (const { usageKey, dirtyMember } of [known, lost]) {
    expect(await redis.sIsMember('usage:dirty', dirtyMember)).toBe(1);
    expect(await redis.ttl(usageKey)).toBeGreaterThan(69 * 86_400);
  }
});
