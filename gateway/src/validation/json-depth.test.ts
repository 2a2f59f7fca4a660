import { expect, test } from '@jest/globals';
import { findTooDeep, jsonDepthMax } from './json-depth.ts';

const nested = (depth: number, inner = '') => `${'['.repeat(depth)}${inner}${']'.repeat(depth)}`;

test('as deep as may be is fine, one more is not', () => {
  expect(findTooDeep(nested(jsonDepthMax))).toBeUndefined();
  expect(findTooDeep(nested(jsonDepthMax + 1))).toBe(jsonDepthMax);
  expect(findTooDeep(`{"a":${nested(jsonDepthMax)}}`)).toBe(jsonDepthMax + 4);
  expect(findTooDeep('{"a":'.repeat(jsonDepthMax + 1))).toBe(jsonDepthMax * 5);
});

test('beside each other is not within each other', () => {
  expect(findTooDeep(`[${Array.from({ length: 100 }, () => '{"a":[]}').join()}]`)).toBeUndefined();
});

test.each([
  ['brackets in a string', `"${'['.repeat(100)}"`],
  ['behind an escaped quote', `"\\"${'['.repeat(100)}"`],
  ['behind escaped backslashes and a quote', `"\\\\\\"${'['.repeat(100)}"`],
  ['in a string that does not end', `"${'['.repeat(100)}`],
])('%s do not count', (_what, text) => expect(findTooDeep(text)).toBeUndefined());

test('brackets behind a string do, also when it ends in backslashes', () => {
  expect(findTooDeep(`["a\\\\",${'['.repeat(100)}`)).toBe(jsonDepthMax + 6);
});

test('a mebibyte of brackets is refused at once, and one of escapes is read but once', () => {
  const brackets = '['.repeat(1_048_576);
  const startedAt = performance.now();
  for (let i = 0; i < 1_000; i += 1) findTooDeep(brackets);
  findTooDeep(`"${'\\'.repeat(1_048_574)}"`);
  findTooDeep(`"${'\\"'.repeat(524_287)}"`);
  // A thousand scans to the end would take seconds.
  expect(performance.now() - startedAt).toBeLessThan(500);
});
