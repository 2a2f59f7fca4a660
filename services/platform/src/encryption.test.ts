import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { type KeyRing, keyedHash, open, readKeyRing, seal } from './encryption.ts';
import { EnvReader } from './process/env.ts';

const old = randomBytes(32);
const ring: KeyRing = {
  current: 'new',
  keys: new Map([
    ['new', randomBytes(32)],
    ['old', old],
  ]),
};

test('what was sealed opens, also under an older key of the ring', () => {
  expect(open(seal('4111', 'card', ring), 'card', ring)).toBe('4111');
  const before: KeyRing = { current: 'old', keys: new Map([['old', old]]) };
  expect(open(seal('4111', 'card', before), 'card', ring)).toBe('4111');
});

test('the same text is never sealed the same twice', () => {
  expect(seal('4111', 'card', ring)).not.toBe(seal('4111', 'card', ring));
});

test.each([
  ['another context', (sealed: string) => open(sealed, 'other', ring)],
  [
    'an altered byte',
    // Not the last character: some of its bits are in no byte.
    (sealed: string) =>
      open(
        sealed.replace(/.(?=.{8}$)/, (c) => (c === 'A' ? 'B' : 'A')),
        'card',
        ring,
      ),
  ],
  ['a key that is gone', (sealed: string) => open(sealed.replace('new.', 'gone.'), 'card', ring)],
])('%s does not open', (_, attempt) => {
  expect(() => attempt(seal('4111111111', 'card', ring))).toThrow();
});

test('hashes of different domains differ', () => {
  expect(keyedHash('a', 'x', old)).not.toBe(keyedHash('b', 'x', old));
});

test.each(['', 'a', 'a:short', `a b:${old.toString('base64')}`])('"%s" is no key ring', (value) => {
  const reader = new EnvReader({ KEYS: value });
  readKeyRing(reader, 'KEYS');
  expect(() => reader.done({})).toThrow('KEYS');
});
