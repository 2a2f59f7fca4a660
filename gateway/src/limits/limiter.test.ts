import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { AppError } from '#platform/errors.ts';
import { createTestLogger } from '#platform/testing.ts';
import { Limiter, type SharedCounter } from './limiter.ts';
import type { OwnCalls } from './local-counter.ts';
import type { Counted, LimitGroup } from './policy.ts';

const group: LimitGroup = { windows: [{ key: 'a', policy: { name: 'a', quota: 2, windowMs: 60_000 } }] };

/** A Redis that a test switches on and off. */
class Switched implements SharedCounter {
  isOn = true;
  readonly seen: LimitGroup[] = [];
  async count(counted: LimitGroup): Promise<Counted> {
    this.seen.push(counted);
    if (!this.isOn) throw new Error('gone');
    return { counts: [1], leftMs: [1_000], calls: 0 };
  }
  readonly added: (readonly OwnCalls[])[] = [];
  takesCalls = true;
  async addCalls(own: readonly OwnCalls[]): Promise<void> {
    if (!this.takesCalls) throw new Error('gone again');
    this.added.push(own);
  }
  async probe(): Promise<void> {
    if (!this.isOn) throw new Error('gone');
  }
}

let shared: Switched;
let limiter: Limiter;
const logger = createTestLogger();
beforeEach(() => {
  jest.useFakeTimers();
  shared = new Switched();
  limiter = new Limiter(shared, logger);
});
afterEach(() => {
  limiter.stop();
  jest.useRealTimers();
});

const read = async () => (await limiter.count(group, 'count-locally'))[0];

test('after one failure reads are counted locally, and nobody asks Redis any more', async () => {
  shared.isOn = false;
  expect([(await read())?.exceeded, (await read())?.exceeded, (await read())?.exceeded]).toEqual([false, false, true]);
  expect(shared.seen).toHaveLength(1);
});

test('what may not go on without Redis is refused, at the first failure and after it', async () => {
  shared.isOn = false;
  for (let i = 0; i < 2; i += 1) {
    await expect(limiter.count(group, 'refuse')).rejects.toMatchObject({ kind: 'unavailable' });
  }
  await expect(limiter.count(group, 'refuse')).rejects.toBeInstanceOf(AppError);
  expect(shared.seen).toHaveLength(1);
});

test('Redis is probed, and used again as soon as it answers', async () => {
  shared.isOn = false;
  await read();
  await jest.advanceTimersByTimeAsync(1_000);
  await read();
  expect(shared.seen).toHaveLength(1);
  shared.isOn = true;
  await jest.advanceTimersByTimeAsync(100);
  expect(await read()).toMatchObject({ remaining: 1, resetSeconds: 1, exceeded: false });
  expect(shared.seen).toHaveLength(2);
  // What was counted meanwhile is forgotten.
  shared.isOn = false;
  expect(await read()).toMatchObject({ remaining: 1, resetSeconds: 60 });
});

test('a probe ends with the limiter', async () => {
  shared.isOn = false;
  await read();
  limiter.stop();
  expect(jest.getTimerCount()).toBe(0);
});

test('calls metered without Redis are handed to it once it is back, in bounded batches, and each once', async () => {
  const meterOf = (key: string) => ({
    ...{ usageKey: `usage:{${key}}:2026-11`, dirtyMember: `${key}:2026-11` },
    ...{ callsStored: 4, policy: undefined, endsAt: Date.now() + 60_000 },
  });
  const call = (key: string) => limiter.count({ windows: [], meter: meterOf(key) }, 'count-locally');
  shared.isOn = false;
  for (let i = 0; i < 200; i += 1) await call(`k${i}`);
  await call('k0');
  [shared.isOn, shared.takesCalls] = [true, false];
  await jest.advanceTimersByTimeAsync(200);
  shared.takesCalls = true;
  await jest.advanceTimersByTimeAsync(200);
  const own = shared.added.flat();
  expect(Math.max(...shared.added.map((batch) => batch.length))).toBeLessThanOrEqual(128);
  expect(own).toHaveLength(200);
  expect(own.find(({ meter }) => meter.dirtyMember === 'k0:2026-11')?.calls).toBe(2);
  expect(own.reduce((sum, { calls }) => sum + calls, 0)).toBe(201);
});
