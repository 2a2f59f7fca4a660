import { describe, expect, test } from '@jest/globals';
import { base62, composeApiKey, isWellFormedApiKey, keyPrefixes, shownPrefix } from './api-key.ts';

const random = 'abcdefghijklmnopqrstuvwxyzABCDEFGH';
const liveKeyPrefix = keyPrefixes.live;
const secret = composeApiKey(random, 'live');

describe('the checksum of an API key', () => {
  test('makes 40 characters after the prefix', () => {
    expect(secret).toMatch(/^tc_live_[0-9A-Za-z]{40}$/);
    expect(secret.startsWith(liveKeyPrefix + random)).toBe(true);
    expect(isWellFormedApiKey(secret)).toBe(true);
  });

  test('is made over the prefix too, which cannot be changed for the other', () => {
    const other = composeApiKey(random, 'test');
    expect(other).toMatch(/^tc_test_[0-9A-Za-z]{40}$/);
    expect([isWellFormedApiKey(other), isWellFormedApiKey(other.replace('test', 'live'))]).toEqual([true, false]);
  });

  test('is CRC-32 of all before it, in base62, padded', () => {
    // zlib.crc32('tc_live_' + 34 zeros) is 564041147.
    expect(composeApiKey('0'.repeat(34), 'live').slice(-6)).toBe('0cAerr');
  });

  test('finds every single wrong character', () => {
    for (let at = liveKeyPrefix.length; at < secret.length; at += 1) {
      for (const character of base62) {
        if (character === secret[at]) continue;
        expect(isWellFormedApiKey(secret.slice(0, at) + character + secret.slice(at + 1))).toBe(false);
      }
    }
  });

  test('finds every swap of two neighbours', () => {
    for (let at = liveKeyPrefix.length; at < secret.length - 1; at += 1) {
      const [one, two] = [secret.charAt(at), secret.charAt(at + 1)];
      if (one === two) continue;
      expect(isWellFormedApiKey(secret.slice(0, at) + two + one + secret.slice(at + 2))).toBe(false);
    }
  });

  test.each([
    ['nothing', ''],
    ['the prefix alone', liveKeyPrefix],
    ['a character less', secret.slice(0, -1)],
    ['a character more', `${secret}0`],
    ['a line feed after it', `${secret}\n`],
    ['the prefix of a test key', secret.replace('live', 'test')],
    ['the prefix of no key', secret.replace('live', 'real')],
    ['another alphabet', secret.replace('a', '-')],
  ])('refuses %s', (_what, text) => {
    expect(isWellFormedApiKey(text)).toBe(false);
  });
});

test('only the first characters of a secret are shown', () => {
  expect(shownPrefix(secret)).toBe('tc_live_abcd');
});
