import { crc32 } from 'node:zlib';
import type { Scope } from '#platform/scopes.ts';

/** A hashed API key, without its secret: only a keyed hash of that is stored. */
export interface ApiKey {
  readonly id: string;
  readonly merchantId: string;
  /** Who made it; it stops working when that user is made inactive. */
  readonly userId: string;
  readonly name: string;
  /** The first characters of the secret, to recognise it by. */
  readonly prefix: string;
  readonly scopes: readonly Scope[];
  /** Every scope but `giftcards:redeem`, which must be given by name. */
  readonly fullAccess: boolean;
  readonly createdAt: Date;
  readonly expiresAt?: Date;
}

export const apiKeysMax = 100;
export const liveKeyPrefix = 'tc_live_';
/** Random characters of a secret: 34 of base62 are 202 bits. */
export const apiKeyRandomCharacters = 34;
export const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const checksumCharacters = 6;
const shownCharacters = liveKeyPrefix.length + 4;
const secretPattern = new RegExp(`^${liveKeyPrefix}[0-9A-Za-z]{${apiKeyRandomCharacters + checksumCharacters}}$`);

/** The secret made of `random` base62 characters: prefix, those, and a checksum over both. */
export function composeApiKey(random: string): string {
  const body = liveKeyPrefix + random;
  return body + checksum(body);
}

/**
 * Whether a secret has the right form and checksum. A mistyped or made-up one is refused by this alone, without a
 * look-up, and secret scanners can tell a real key from a random word.
 */
export function isWellFormedApiKey(secret: string): boolean {
  if (!secretPattern.test(secret)) return false;
  const body = secret.slice(0, -checksumCharacters);
  return secret.slice(-checksumCharacters) === checksum(body);
}

/** What may be shown of a secret. */
export function shownPrefix(secret: string): string {
  return secret.slice(0, shownCharacters);
}

/** CRC-32 in base62, highest digit first. */
function checksum(body: string): string {
  let rest = crc32(body);
  let digits = '';
  for (let place = 0; place < checksumCharacters; place += 1) {
    digits = base62.charAt(rest % base62.length) + digits;
    rest = Math.floor(rest / base62.length);
  }
  return digits;
}
