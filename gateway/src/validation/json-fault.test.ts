import { expect, test } from '@jest/globals';
import { findJsonFault } from './json-fault.ts';

// Positions and words as Python's json gives them.
test.each([
  ['', 0, 'Expecting value'],
  ['{', 1, 'Expecting property name enclosed in double quotes'],
  ['{"a"}', 4, "Expecting ':' delimiter"],
  ['{"a": }', 6, 'Expecting value'],
  ['{"a": 1 "b": 2}', 8, "Expecting ',' delimiter"],
  ['{"a": "x', 6, 'Unterminated string starting at'],
  ['{"a": 1} x', 9, 'Extra data'],
  ['[1, 2', 5, "Expecting ',' delimiter"],
  ["{'a': 1}", 1, 'Expecting property name enclosed in double quotes'],
  ['[nul]', 1, 'Expecting value'],
  ['["\\x"]', 2, 'Invalid \\escape'],
  ['["\\u12"]', 3, 'Invalid \\uXXXX escape'],
  ['["a\nb"]', 3, 'Invalid control character at'],
  ['{"a": [1, {"b": [}]}', 17, 'Expecting value'],
  ['{"a": {}, "b": [], c}', 19, 'Expecting property name enclosed in double quotes'],
])('%j', (text, position, error) => {
  expect(() => JSON.parse(text)).toThrow();
  expect(findJsonFault(text)).toEqual({ position, error });
});

test('a deep text is walked, not recursed into', () => {
  expect(findJsonFault('['.repeat(500_000))).toEqual({ position: 500_000, error: 'Expecting value' });
});
