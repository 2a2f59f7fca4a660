import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { createCardSecrets, luhnDigit, newCardNumber } from './card-secrets.ts';

const ring = { current: 'a', keys: new Map([['a', randomBytes(32)]]) };
const secrets = createCardSecrets(ring, randomBytes(32));

test('the check digit is that of ISO/IEC 7812-1', () => {
  expect(luhnDigit('7992739871')).toBe('3');
  expect(luhnDigit('411111111111111')).toBe('1');
});

test('numbers are 16 digits, pass the Luhn test, and differ', () => {
  const numbers = Array.from({ length: 1_000 }, newCardNumber);
  for (const number of numbers) {
    expect(number).toMatch(/^[1-9]\d{15}$/);
    expect(luhnDigit(number.slice(0, -1))).toBe(number.slice(-1));
  }
  expect(new Set(numbers).size).toBe(1_000);
});

test('a sealed number opens for its own card only', () => {
  const { sealed, hash, lastFourDigits } = secrets.newNumber('card-1');
  const number = secrets.openNumber({ id: 'card-1', sealedNumber: sealed });
  expect(sealed).not.toContain(number);
  expect(number.slice(-4)).toBe(lastFourDigits);
  expect(secrets.hashNumber(`${number.slice(0, 4)} ${number.slice(4, 8)}-${number.slice(8)}`)).toBe(hash);
  expect(() => secrets.openNumber({ id: 'card-2', sealedNumber: sealed })).toThrow();
});

test('a code is six digits, and its hash holds for one card', () => {
  const { code, hash } = secrets.newCode('card-1');
  expect(code).toMatch(/^\d{6}$/);
  expect(secrets.hashCode('card-1', code)).toBe(hash);
  expect(secrets.hashCode('card-2', code)).not.toBe(hash);
});
