import { expect, test } from '@jest/globals';
import { formatMinorUnits, parseMinorUnits } from './decimal.ts';

test.each([
  [0n, '0.00'],
  [1n, '0.01'],
  [-1n, '-0.01'],
  [99n, '0.99'],
  [100n, '1.00'],
  [-12_345n, '-123.45'],
  [9_007_199_254_740_993n, '90071992547409.93'],
])('%s minor units are %s', (minor, text) => {
  expect(formatMinorUnits(minor)).toBe(text);
  expect(parseMinorUnits(text)).toBe(minor);
});
