import { expect, test } from '@jest/globals';
import { codeLockedForMs } from './code-lock.ts';

const minute = 60_000;
const at = (...minutes: number[]) => minutes.map((m) => new Date(m * minute));

test.each([
  ['four failures', at(0, 1, 2, 3), 4, 0],
  ['five failures lock for 15 minutes from the fifth', at(0, 1, 2, 3, 4), 5, 14 * minute],
  ['until the lock has passed', at(0, 1, 2, 3, 4), 19, 0],
  ['five failures within exactly 15 minutes', at(0, 4, 8, 12, 15), 15, 15 * minute],
  ['five failures over more than 15 minutes', at(0, 4, 8, 12, 16), 16, 0],
  ['only the last five count', at(0, 20, 21, 22, 23, 24), 24, 15 * minute],
  ['one failure after a lock does not lock again', at(0, 1, 2, 3, 4, 20), 20, 0],
])('%s', (_, failures, nowMinutes, expected) => {
  expect(codeLockedForMs(failures, new Date(nowMinutes * minute))).toBe(expected);
});
