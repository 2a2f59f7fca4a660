import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { RedisClient } from '#platform/redis.ts';
import { createTestLogger } from '#platform/testing.ts';
import { createRevocations } from './credentials-revoked.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

test('what could not be published is, once and in order, as soon as Redis is there again', async () => {
  const published: string[] = [];
  let isUp = false;
  const publish = async (_channel: string, id: string) => {
    if (!isUp) throw new Error('gone');
    published.push(id);
    return 1;
  };
  const revocations = createRevocations({ publish } as unknown as RedisClient, createTestLogger());
  for (const id of ['a', 'b', 'a']) await revocations.publish(id);
  await jest.advanceTimersByTimeAsync(5_000);
  expect(published).toEqual([]);
  isUp = true;
  await revocations.publish('c');
  await jest.advanceTimersByTimeAsync(5_000);
  expect(published).toEqual(['c', 'a', 'b']);
  expect(jest.getTimerCount()).toBe(0);
});
