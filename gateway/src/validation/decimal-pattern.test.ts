import { expect, test } from '@jest/globals';
import { amount } from '../schemas/primitives.ts';
import { decimalPattern } from './decimal-pattern.ts';

const texts = (...wholes: number[]) =>
  wholes.flatMap((whole) => ['', '.0', '.00', '.01', '.1', '.99'].map((cents) => `${whole}${cents}`));
const candidates = [
  ...texts(0, 1, 9, 10, 99, 100, 101, 999, 1000, 4999, 5000, 5001, 9999, 10_000, 10_001, 52_345, 999_999_999_999),
  ...['1000000000000', '-0.01', '-5', '-999999999999.99', '1.001', '', '.', 'x', '1e2'],
];

test.each<[0n | 1n | undefined, bigint | undefined]>([
  [1n, 500_000n],
  [1n, 1_000_000n],
  [0n, 100_000_000n],
  [1n, 10_000n],
  [1n, undefined],
  [undefined, 500_000n],
])('text from %p to %p matches when it is accepted', (min, max) => {
  const pattern = new RegExp(decimalPattern({ min, max }));
  const schema = amount({ ge: min, le: max });
  for (const text of candidates) expect([text, pattern.test(text)]).toEqual([text, schema.safeParse(text).success]);
});
