import { randomBytes, randomInt } from 'node:crypto';
import { keyedHash } from '#platform/encryption.ts';
import { apiKeyRandomCharacters, base62, composeApiKey } from '../domain/api-key.ts';
import type { SecretFactory } from '../domain/ports.ts';

const refreshTokenBytes = 32;
const signupCodeBytes = 24;
/** Crockford's base32, without letters that are taken for others; 16 of them are 80 bits. */
const recoveryAlphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const recoveryGroups = 4;
const recoveryGroupCharacters = 4;

/** Random secrets, stored as HMAC-SHA-256: whoever has the database, but not the pepper, can neither use nor test one. */
export function createSecretFactory(pepper: Buffer): SecretFactory {
  const hashApiKey = (secret: string) => keyedHash('api-key', secret, pepper);
  const hashRefreshToken = (token: string) => keyedHash('refresh-token', token, pepper);
  const hashSignupCode = (pendingId: string, code: string) => keyedHash('signup-code', `${pendingId}:${code}`, pepper);
  const hashRecoveryCode = (userId: string, code: string) =>
    keyedHash('recovery-code', `${userId}:${code.toLowerCase().replace(/[^0-9a-z]/g, '')}`, pepper);
  const recoveryGroup = () =>
    Array.from({ length: recoveryGroupCharacters }, () =>
      recoveryAlphabet.charAt(randomInt(recoveryAlphabet.length)),
    ).join('');
  return {
    newApiKey(mode) {
      const random = Array.from({ length: apiKeyRandomCharacters }, () => base62.charAt(randomInt(base62.length)));
      const secret = composeApiKey(random.join(''), mode);
      return { secret, hash: hashApiKey(secret) };
    },
    newRefreshToken() {
      const token = randomBytes(refreshTokenBytes).toString('base64url');
      return { token, hash: hashRefreshToken(token) };
    },
    newSignupCode(pendingId) {
      const code = randomBytes(signupCodeBytes).toString('base64url');
      return { code, hash: hashSignupCode(pendingId, code) };
    },
    hashSignupCode,
    newRecoveryCode(userId) {
      const code = Array.from({ length: recoveryGroups }, recoveryGroup).join('-');
      return { code, hash: hashRecoveryCode(userId, code) };
    },
    hashRecoveryCode,
    hashApiKey,
    hashRefreshToken,
  };
}
