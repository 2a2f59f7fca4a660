import { randomInt } from 'node:crypto';
import { type KeyRing, keyedHash, open, seal } from '#platform/encryption.ts';
import type { CardSecrets } from '../domain/ports.ts';

const numberDigits = 16;
const codeDigits = 6;

/** Card numbers and codes from the system's CSPRNG; numbers sealed with AES-256-GCM, look-ups and codes by keyed HMAC. */
export function createCardSecrets(ring: KeyRing, hashKey: Buffer): CardSecrets {
  const hashNumber = (cardNumber: string) => keyedHash('card-number', cardNumber.replace(/[\s-]/g, ''), hashKey);
  const hashCode = (cardId: string, code: string) => keyedHash('security-code', `${cardId}\0${code}`, hashKey);
  return {
    newNumber(cardId) {
      const number = newCardNumber();
      return { sealed: seal(number, cardId, ring), hash: hashNumber(number), lastFourDigits: number.slice(-4) };
    },
    newCode(cardId) {
      const code = String(randomInt(10 ** codeDigits)).padStart(codeDigits, '0');
      return { code, hash: hashCode(cardId, code) };
    },
    openNumber: (card) => open(card.sealedNumber, card.id, ring),
    hashNumber,
    hashCode,
    fingerprint: (request) => keyedHash('request', JSON.stringify(request), hashKey),
  };
}

/** A random number whose last digit is the Luhn check digit (ISO/IEC 7812-1). */
export function newCardNumber(): string {
  // The first digit is not 0, so that no spreadsheet shortens the number.
  const first = String(randomInt(1, 10));
  const rest = Array.from({ length: numberDigits - 2 }, () => String(randomInt(10))).join('');
  return first + rest + luhnDigit(first + rest);
}

/** The check digit that makes `digits` + it pass the Luhn test. */
export function luhnDigit(digits: string): string {
  let sum = 0;
  for (let i = digits.length - 1, double = true; i >= 0; i -= 1, double = !double) {
    const digit = Number(digits[i]) * (double ? 2 : 1);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return String((10 - (sum % 10)) % 10);
}
