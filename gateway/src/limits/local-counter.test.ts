import { expect, test } from '@jest/globals';
import { LocalCounter } from './local-counter.ts';
import type { Meter, Window } from './policy.ts';

const windowOf = (key: string, quota: number, windowMs = 60_000): Window => ({
  policy: { name: key, quota, windowMs },
  key,
});
const meter = (perMonth: number, callsStored = 0): Meter => ({
  usageKey: 'usage:{k}:2026-11',
  dirtyMember: 'k:2026-11',
  callsStored,
  policy: { name: 'month', quota: perMonth, windowMs: 1 },
  endsAt: 1_000_000,
});

test('windows begin with their first request and end after their length', () => {
  const local = new LocalCounter();
  const windows = [windowOf('a', 2)];
  const count = (now: number) => local.count({ windows }, now);
  expect(count(0)).toEqual({ counts: [1], leftMs: [60_000], calls: 0 });
  expect(count(10_000)).toEqual({ counts: [2], leftMs: [50_000], calls: 0 });
  expect([count(59_999).counts, count(59_999).counts]).toEqual([[3], [3]]);
  expect(count(60_000).counts).toEqual([1]);
});

test('a request is counted in all or in none', () => {
  const local = new LocalCounter();
  const [minute, hour] = [windowOf('minute', 1), windowOf('hour', 10)];
  for (let i = 0; i < 5; i += 1) local.count({ windows: [minute, hour] }, 0);
  expect(local.count({ windows: [hour] }, 0).counts).toEqual([2]);
});

test('a month goes on from the calls that are stored', () => {
  const local = new LocalCounter();
  expect(local.count({ windows: [], meter: meter(6, 4) }, 0).calls).toBe(5);
  expect(local.count({ windows: [], meter: meter(6, 4) }, 0).calls).toBe(6);
  expect(local.count({ windows: [], meter: meter(6, 4) }, 0).calls).toBe(7);
  expect(local.count({ windows: [], meter: meter(6, 4) }, 0).calls).toBe(7);
});

test('what is only looked at refuses when it is full, and is not counted', () => {
  const local = new LocalCounter();
  const windows = [windowOf('a', 5)];
  local.count({ windows }, 0);
  const look = { windows: [{ ...windowOf('a', 5), lookOnly: true as const }] };
  for (let i = 0; i < 9; i += 1) expect(local.count(look, 0).counts).toEqual([2]);
  expect(local.count({ windows }, 0).counts).toEqual([2]);
  for (let i = 0; i < 9; i += 1) local.count({ windows }, 0);
  const other = windowOf('b', 5);
  expect(local.count({ windows: [...look.windows, other] }, 0).counts).toEqual([6, 1]);
  expect(local.count({ windows: [other] }, 0).counts).toEqual([1]);
});

test('it is bounded: ended windows make room first, then the oldest', () => {
  const local = new LocalCounter(100);
  for (let i = 0; i < 10_000; i += 1) local.count({ windows: [windowOf(`a${i}`, 5)] }, 0);
  expect(local.size).toBe(100);
  expect(local.count({ windows: [windowOf('a9999', 5)] }, 0).counts).toEqual([2]);
  local.count({ windows: [windowOf('b', 5)] }, 60_000);
  expect(local.size).toBe(1);
});
