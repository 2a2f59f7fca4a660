import { expect, test } from '@jest/globals';
import { ExpiringCache } from './expiring-cache.ts';

test('misses at the same time share one look-up; a failed one is not kept', async () => {
  const cache = new ExpiringCache<number>(10, () => 1_000);
  let lookUps = 0;
  const failing = () => {
    lookUps += 1;
    return Promise.reject(new Error('away'));
  };
  const failed = await Promise.allSettled([cache.load('a', failing), cache.load('a', failing)]);
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(lookUps).toBe(1);
  const values = await Promise.all(
    Array.from({ length: 50 }, () =>
      cache.load('a', async () => {
        lookUps += 1;
        return 7;
      }),
    ),
  );
  expect(new Set(values)).toEqual(new Set([7]));
  expect(lookUps).toBe(2);
});

test('an entry lives as long as its value says, and no longer', async () => {
  let now = 0;
  const cache = new ExpiringCache<number>(
    10,
    (value) => value,
    () => now,
  );
  await cache.load('short', async () => 10);
  await cache.load('never', async () => 0);
  expect([cache.get('short'), cache.get('never')]).toEqual([10, undefined]);
  now = 9;
  expect(cache.get('short')).toBe(10);
  now = 10;
  expect(cache.get('short')).toBeUndefined();
  expect(cache.size).toBe(0);
});

test('what was looked up longest ago goes first', async () => {
  const cache = new ExpiringCache<string>(2, () => 1_000);
  await cache.load('a', async () => 'a');
  await cache.load('b', async () => 'b');
  await cache.load('c', async () => 'c');
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([undefined, 'b', 'c']);
  cache.drop((value) => value === 'b');
  expect([cache.get('b'), cache.get('c')]).toEqual([undefined, 'c']);
});

test('ten thousand keys stay within the bound, and those that expire make room without being asked for', () => {
  let now = 0;
  const cache = new ExpiringCache<number>(
    1_000,
    () => 5_000,
    () => now,
  );
  for (let i = 0; i < 10_000; i += 1) cache.set(`k${i}`, i);
  expect(cache.size).toBe(1_000);
  expect([cache.get('k9999'), cache.get('k8999')]).toEqual([9_999, undefined]);
  now = 5_000;
  for (let i = 0; i < 300; i += 1) cache.set(`late${i}`, i);
  expect(cache.size).toBe(300);
});
