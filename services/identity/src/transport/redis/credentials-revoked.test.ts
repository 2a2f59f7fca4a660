import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { RedisClient } from '#platform/redis/redis.ts';
import { createTestLogger } from '#platform/testing.ts';
import { createRevocations } from './credentials-revoked.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** A Redis that is down until told otherwise, and all that was published on it. */
function fakeRedis() {
  const published: string[] = [];
  const state = { isUp: false, hangs: false };
  const publish = async (_channel: string, id: string) => {
    if (state.hangs) return new Promise<number>(() => undefined);
    if (!state.isUp) throw new Error('gone');
    published.push(id);
    return 1;
  };
  return {
    published,
    state,
    revocations: createRevocations({ publish } as unknown as RedisClient, createTestLogger()),
  };
}

test('of more than can be kept, everything is told of', async () => {
  const { published, state, revocations } = fakeRedis();
  for (let id = 0; id <= 10_000; id += 1) await revocations.publish(String(id));
  await revocations.publish('one more');
  state.isUp = true;
  await jest.advanceTimersByTimeAsync(5_000);
  expect(published).toEqual(['*']);
  await revocations.publish('after');
  expect(published).toEqual(['*', 'after']);
});

test('that everything is to be forgotten is not lost while Redis is away, and stands for all that came before', async () => {
  const { published, state, revocations } = fakeRedis();
  await revocations.publish('a');
  await revocations.publishAll();
  await revocations.publish('b');
  state.isUp = true;
  await jest.advanceTimersByTimeAsync(5_000);
  expect(published).toEqual(['*']);
  expect(jest.getTimerCount()).toBe(0);
});

test('what could not be published is, once and in order, as soon as Redis is there again', async () => {
  const { published, state, revocations } = fakeRedis();
  for (const id of ['a', 'b', 'a']) await revocations.publish(id);
  await jest.advanceTimersByTimeAsync(5_000);
  expect(published).toEqual([]);
  state.isUp = true;
  await revocations.publish('c');
  await jest.advanceTimersByTimeAsync(5_000);
  expect(published).toEqual(['c', 'a', 'b']);
  expect(jest.getTimerCount()).toBe(0);
});

test('what is owed at the end is told at once, in one word', async () => {
  const { published, state, revocations } = fakeRedis();
  for (const id of ['a', 'b']) await revocations.publish(id);
  state.isUp = true;
  await revocations.stop();
  expect(published).toEqual(['*']);
  // The retry that was under way has nothing to say any more.
  await jest.advanceTimersByTimeAsync(5_000);
  expect(published).toEqual(['*']);
});

test('an end that owes nothing tells nothing', async () => {
  const { published, state, revocations } = fakeRedis();
  state.isUp = true;
  await revocations.publish('a');
  await revocations.stop();
  expect(published).toEqual(['a']);
});

test('a Redis that is away or hangs holds up no end for long', async () => {
  const { published, state, revocations } = fakeRedis();
  await revocations.publish('a');
  await revocations.stop();
  state.hangs = true;
  const stopped = revocations.stop();
  await jest.advanceTimersByTimeAsync(1_000);
  await stopped;
  expect(published).toEqual([]);
});
