import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect, test } from '@jest/globals';
import { testCaller } from '#platform/testing.ts';
import { Context, moving, type Services } from './context.ts';

/** What a read is told when its response closes in one way or the other. */
function closedRead(writableFinished: boolean) {
  const response = Object.assign(new EventEmitter(), { writableFinished });
  const context = new Context(testCaller(), {} as Services, '/', response as unknown as ServerResponse);
  const options = context.reading();
  response.emit('close');
  return options;
}

test('a read is cancelled when its client goes before the answer is out, and not after', () => {
  expect(closedRead(false)).toMatchObject({ idempotent: true, signal: { aborted: true } });
  expect(closedRead(true)).toMatchObject({ idempotent: true, signal: { aborted: false } });
});

test('a money move is never cancelled, and repeated only under a key', () => {
  expect(moving('key')).toEqual({ idempotent: true });
  expect(moving(undefined)).toEqual({ idempotent: false });
});
