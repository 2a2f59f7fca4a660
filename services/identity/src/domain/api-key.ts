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
  /** Of a `tc_test_` key: the sandbox that it acts for, in the place of the merchant. */
  readonly sandboxId?: string;
  /** Since when it is known, but may call nothing. */
  readonly frozenAt?: Date;
  readonly rotatedAt?: Date;
  /** Until when the secret before the last rotation works; absent when it stopped at once. */
  readonly previousExpiresAt?: Date;
}

/** A key whose secret was shown, and which of its secrets that was. */
export interface ShownKey {
  readonly key: ApiKey;
  /** Whether it is the secret before the last rotation. */
  readonly isPrevious: boolean;
}

export const apiKeysMax = 100;
/** What secrets begin with: those of the merchant itself, and those of its sandbox. */
export const keyPrefixes = { live: 'tc_live_', test: 'tc_test_' } as const;
export type KeyMode = keyof typeof keyPrefixes;
export const graceHoursMax = 168;
/** Random characters of a secret: 34 of base62 are 202 bits. */
export const apiKeyRandomCharacters = 34;
export const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const checksumCharacters = 6;
const shownCharacters = keyPrefixes.live.length + 4;
const secretPattern = new RegExp(`^tc_(live|test)_[0-9A-Za-z]{${apiKeyRandomCharacters + checksumCharacters}}$`);

/** The secret made of `random` base62 characters: prefix, those, and a checksum over both. */
export function composeApiKey(random: string, mode: KeyMode): string {
  const body = keyPrefixes[mode] + random;
  return body + checksum(body);
}

/** Whether a credential is meant as an API key, well formed or not. */
export function isMeantAsApiKey(credential: string): boolean {
  return Object.values(keyPrefixes).some((prefix) => credential.startsWith(prefix));
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

/** Until when the shown secret works; undefined: without end. */
export function secretExpiresAt({ key, isPrevious }: ShownKey): Date | undefined {
  return isPrevious ? earlier(key.previousExpiresAt, key.expiresAt) : key.expiresAt;
}

/** The earlier of two instants; one that is absent is never. */
export function earlier(one: Date | undefined, other: Date | undefined): Date | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one < other ? one : other;
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
