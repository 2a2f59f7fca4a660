import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '../ids.ts';
import { createLockManager, type LockManager } from './lock.ts';
import { connectRedis, type RedisClient } from './redis.ts';

const silent = { debug() {}, info() {}, warn() {}, error() {} };
const prefix = `test:${newId()}:`;
let redis: RedisClient;
let locks: LockManager;

beforeAll(async () => {
  redis = await connectRedis(String(process.env.TEST_REDIS_URL), silent);
  locks = createLockManager([redis], prefix);
});
afterAll(() => redis.destroy());

test('all or none: one resource that is taken refuses the rest, and leaves them free', async () => {
  const held = await locks.acquire(['b'], 5_000);
  expect(await locks.acquire(['a', 'b', 'c'], 5_000)).toBeUndefined();
  const others = await locks.acquire(['a', 'c'], 5_000);
  expect(others).toBeDefined();
  await Promise.all([held?.release(), others?.release()]);
  expect(await locks.acquire(['a', 'b', 'c'], 50)).toBeDefined();
});

test('a lock lapses by itself', async () => {
  await locks.acquire(['lapsing'], 40);
  expect(await locks.acquire(['lapsing'], 40)).toBeUndefined();
  const giveUpAt = Date.now() + 5_000;
  while ((await locks.acquire(['lapsing'], 40)) === undefined) expect(Date.now()).toBeLessThan(giveUpAt);
});

test('releasing a lock that somebody else took over leaves theirs alone', async () => {
  const mine = await locks.acquire(['taken-over'], 5_000);
  await redis.del(`${prefix}taken-over`);
  const theirs = await locks.acquire(['taken-over'], 5_000);
  await mine?.release();
  expect(await locks.acquire(['taken-over'], 5_000)).toBeUndefined();
  await theirs?.release();
});

test('a Redis that has forgotten the scripts is told them again', async () => {
  await (await locks.acquire(['x'], 1_000))?.release();
  await redis.scriptFlush();
  const again = await locks.acquire(['x'], 1_000);
  expect(again).toBeDefined();
  await again?.release();
});

test('no answer from Redis is unavailable, not "taken"', async () => {
  const gone = await connectRedis(String(process.env.TEST_REDIS_URL), silent);
  gone.destroy();
  await expect(createLockManager([gone], prefix).acquire(['y'], 1_000)).rejects.toMatchObject({ code: 'unavailable' });
});

test('a Redis that hangs is unavailable in bounded time', async () => {
  const hanging = { evalSha: () => new Promise(() => {}), eval: () => new Promise(() => {}) } as unknown as RedisClient;
  const startedAt = performance.now();
  await expect(createLockManager([hanging], prefix).acquire(['z'], 1_000)).rejects.toMatchObject({
    code: 'unavailable',
  });
  expect(performance.now() - startedAt).toBeLessThan(6_000);
});
