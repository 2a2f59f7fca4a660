import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { AppError } from '#platform/errors.ts';
import { createTestLogger } from '#platform/testing.ts';
import { Limiter, type SharedCounter } from './limiter.ts';
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

test('giving back waits for nobody and fails nobody', async () => {
  shared.isOn = false;
  limiter.giveBack('a');
  await jest.advanceTimersByTimeAsync(0);
  expect(shared.seen).toEqual([{ windows: [], giveBackKey: 'a' }]);
});
