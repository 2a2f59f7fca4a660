import { type ServiceError, status } from '@grpc/grpc-js';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { Repeats } from './repeats.ts';

const failure = (details: string, code = status.UNAVAILABLE) => ({ code, details }) as ServiceError;
const nobodyThere = failure('round_robin: No connection established. Last error: connect ECONNREFUSED');
const refused = failure('Stream refused by server');
const unresolved = failure('Name resolution failed for target dns:giftcards:50051');
const dropped = failure('Connection dropped');

let repeats: Repeats;
beforeEach(() => {
  jest.useFakeTimers();
  repeats = new Repeats();
});
afterEach(() => {
  jest.useRealTimers();
});

/** Whether a call may be sent again, once that is known. */
async function mayRepeat(
  error: ServiceError,
  { tries = 1, leftMs = 15_000, idempotent = false } = {},
): Promise<boolean> {
  const verdict = repeats.wait(error, { tries, until: Date.now() + leftMs, idempotent });
  await jest.advanceTimersByTimeAsync(600);
  return verdict;
}

test('what no server began is sent again, idempotent or not; what one may have begun only if it is idempotent', async () => {
  for (const error of [nobodyThere, refused, unresolved]) expect(await mayRepeat(error)).toBe(true);
  expect(await mayRepeat(dropped)).toBe(false);
  expect(await mayRepeat(dropped, { idempotent: true })).toBe(true);
});

test('no other status is sent again', async () => {
  for (const code of [status.DEADLINE_EXCEEDED, status.INTERNAL, status.ABORTED, status.RESOURCE_EXHAUSTED])
    expect(await mayRepeat(failure('No connection established', code), { idempotent: true })).toBe(false);
});

test('a service that answers that it cannot is asked three times, and not for as long as one that is away', async () => {
  expect(await mayRepeat(dropped, { idempotent: true, tries: 2 })).toBe(true);
  expect(await mayRepeat(dropped, { idempotent: true, tries: 3 })).toBe(false);
  expect(await mayRepeat(nobodyThere, { tries: 3 })).toBe(true);
});

test('nothing is sent after the deadline, or by a client that is closed', async () => {
  expect(await mayRepeat(nobodyThere, { leftMs: 10 })).toBe(false);
  const waiting = repeats.wait(nobodyThere, { tries: 1, until: Date.now() + 15_000, idempotent: false });
  repeats.close();
  await jest.advanceTimersByTimeAsync(600);
  expect(await waiting).toBe(false);
  expect(await mayRepeat(nobodyThere)).toBe(false);
});

test('calls wait for the end of a young outage; in an old one they are told at once, in the next one they wait again', async () => {
  const startedAt = Date.now();
  while (Date.now() - startedAt < 2_900) expect(await mayRepeat(nobodyThere)).toBe(true);
  await jest.advanceTimersByTimeAsync(200);
  for (let call = 0; call < 20; call += 1) expect(await mayRepeat(nobodyThere)).toBe(false);
  repeats.succeeded();
  expect(await mayRepeat(nobodyThere)).toBe(true);
});

test('an outage that nobody met for a while counts as a new one', async () => {
  expect(await mayRepeat(nobodyThere)).toBe(true);
  await jest.advanceTimersByTimeAsync(60_000);
  expect(await mayRepeat(nobodyThere)).toBe(true);
});

test('no more than 256 calls wait at a time', async () => {
  const until = Date.now() + 15_000;
  const verdicts = Array.from({ length: 300 }, () => repeats.wait(nobodyThere, { tries: 1, until, idempotent: true }));
  await jest.advanceTimersByTimeAsync(600);
  expect((await Promise.all(verdicts)).filter(Boolean)).toHaveLength(256);
  expect(await mayRepeat(nobodyThere)).toBe(true);
});
