import { describe, expect, test } from '@jest/globals';
import { base62, composeApiKey, isWellFormedApiKey, liveKeyPrefix, shownPrefix } from './api-key.ts';

const random = 'abcdefghijklmnopqrstuvwxyzABCDEFGH';
const secret = composeApiKey(random);

describe('the checksum of an API key', () => {
  test('makes 40 characters after the prefix', () => {
    expect(secret).toMatch(/^tc_live_[0-9A-Za-z]{40}$/);
    expect(secret.startsWith(liveKeyPrefix + random)).toBe(true);
    expect(isWellFormedApiKey(secret)).toBe(true);
  });

  test('is CRC-32 of all before it, in base62, padded', () => {
    // zlib.crc32('tc_live_' + 34 zeros) is 564041147.
    expect(composeApiKey('0'.repeat(34)).slice(-6)).toBe('0cAerr');
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
    ['another prefix', secret.replace('live', 'test')],
    ['another alphabet', secret.replace('a', '-')],
  ])('refuses %s', (_what, text) => {
    expect(isWellFormedApiKey(text)).toBe(false);
  });
});

test('only the first characters of a secret are shown', () => {
  expect(shownPrefix(secret)).toBe('tc_live_abcd');
});
