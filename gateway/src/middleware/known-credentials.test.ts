import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { testCaller } from '#platform/testing.ts';
import type { Clients } from '../clients.ts';
import { principal } from '../testing.ts';
import { Authenticator } from './authenticator.ts';

const header = 'Bearer key';
let asked: number;
let authenticator: Authenticator;
const authenticate = async () => {
  asked += 1;
  return principal({});
};
const authenticatorFor = (knownForMs: number) =>
  new Authenticator({ authenticate } as unknown as Clients['identity'], knownForMs);
beforeEach(() => {
  jest.useFakeTimers();
  asked = 0;
  authenticator = authenticatorFor(30_000);
});
afterEach(() => void jest.useRealTimers());

/** How long a credential stays known, in whole seconds. */
async function knownForSeconds(): Promise<number> {
  jest.advanceTimersByTime(1);
  await authenticator.lookUp(header, testCaller());
  let seconds = 0;
  while (authenticator.known(header) !== undefined) {
    jest.advanceTimersByTime(1_000);
    seconds += 1;
  }
  return seconds;
}

test('a credential is known for longer while word of changes arrives', async () => {
  expect(await knownForSeconds()).toBe(1);
  authenticator.hearsOfChanges(true);
  expect(await knownForSeconds()).toBe(30);
  authenticator.hearsOfChanges(false);
  expect(await knownForSeconds()).toBe(1);
  expect(asked).toBe(3);
});

test.each([
  [2, 1, 2],
  [60, 1, 60],
])(
  'a credential that may be known for %i s is for %i s unheard, and %i s while word arrives',
  async (s, unheard, heard) => {
    authenticator = authenticatorFor(s * 1_000);
    expect(await knownForSeconds()).toBe(unheard);
    authenticator.hearsOfChanges(true);
    expect(await knownForSeconds()).toBe(heard);
  },
);

test.each([true, false])('when word begins or ceases to arrive (%s), nothing is known any more', async (isLive) => {
  await authenticator.lookUp(header, testCaller());
  expect(authenticator.known(header)).toBeDefined();
  authenticator.hearsOfChanges(isLive);
  expect(authenticator.known(header)).toBeUndefined();
});
