import { Secret, TOTP } from 'otpauth';
import type { Totp } from '../domain/totp.ts';

const periodSeconds = 30;
/** What every authenticator app understands. */
const shape = { issuer: 'Tallycard', algorithm: 'SHA1', digits: 6, period: periodSeconds };
/** Of RFC 4226, 4: at least 128 bits, better 160. */
const seedBytes = 20;
/** Steps before and after now, for clocks that are apart (RFC 6238, 5.2). */
const window = 1;

/** Time-based one-time passwords (RFC 6238): SHA-1, six digits, 30 seconds. */
export function createTotp(): Totp {
  return {
    newSeed: () => new Secret({ size: seedBytes }).base32,
    url: (seed, account) => new TOTP({ ...shape, label: account, secret: seed }).toString(),
    stepOf(seed, code, now) {
      const timestamp = now.getTime();
      const delta = new TOTP({ ...shape, secret: seed }).validate({ token: code, timestamp, window });
      return delta === null ? undefined : Math.floor(timestamp / 1000 / periodSeconds) + delta;
    },
  };
}
