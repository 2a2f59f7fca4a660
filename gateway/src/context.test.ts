import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect, test } from '@jest/globals';
import { testCaller } from '#platform/testing.ts';
import { Context, type Services } from './context.ts';
import { ClientGone } from './middleware/read-body.ts';

/** A request that must be answered within `leftMs`. */
function contextOf(response: Partial<ServerResponse> = {}, leftMs = 20_000) {
  const emitter = Object.assign(new EventEmitter(), { writableFinished: false, ...response });
  const time = { dueAt: performance.now() + leftMs, changeMsMin: 2_000 };
  const context = new Context(testCaller(), {} as Services, '/', emitter as unknown as ServerResponse, time);
  return { context, emitter };
}

test.each([false, true])('a read is cancelled when its client goes before the answer is out: out %s', (isOut) => {
  const { context, emitter } = contextOf({ writableFinished: isOut } as never);
  const options = context.reading();
  emitter.emit('close');
  expect(options).toMatchObject({ idempotent: true, signal: { aborted: !isOut } });
});

test('a read for a client that has gone is cancelled from the start', () => {
  expect(contextOf({ destroyed: true }).context.reading().signal?.aborted).toBe(true);
});

test('no call may take longer than the answer', () => {
  const { context } = contextOf();
  for (const { deadlineMs = 0 } of [context.reading(), context.changing('key')]) {
    expect(deadlineMs).toBeGreaterThan(10_000);
    expect(deadlineMs).toBeLessThanOrEqual(20_000);
  }
  expect(contextOf({}, -5).context.reading().deadlineMs).toBe(1);
});

test('a change is never cancelled, and repeated only under a key', () => {
  const { context } = contextOf();
  expect([context.changing('key').idempotent, context.changing().idempotent]).toEqual([true, false]);
  expect(context.changing('key').signal).toBeUndefined();
});

test('a change is not begun with little time left, after its answer, or for nobody', () => {
  expect(() => contextOf({}, 1_000).context.changing()).toThrow(expect.objectContaining({ kind: 'unavailable' }));
  for (const response of [{ headersSent: true }, { destroyed: true }]) {
    expect(() => contextOf(response).context.changing()).toThrow(ClientGone);
  }
});
