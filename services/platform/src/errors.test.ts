import { expect, test } from '@jest/globals';
import { mongo } from 'mongoose';
import { isComponentDown } from './errors.ts';

test.each([
  [50, true],
  [11000, false],
  [undefined, false],
])('an error of MongoDB with code %s: the component is away: %s', (code, expected) => {
  expect(isComponentDown(new mongo.MongoServerError({ message: 'x', code }))).toBe(expected);
});

test('a code alone makes no error of MongoDB', () => {
  expect(isComponentDown(Object.assign(new Error('x'), { code: 50 }))).toBe(false);
  expect(isComponentDown({ code: 50 })).toBe(false);
});
