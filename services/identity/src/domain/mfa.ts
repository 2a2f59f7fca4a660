import type { Totp } from './totp.ts';

/** A user's second factor: set up, and in force once a code of it was seen. */
export interface Mfa {
  readonly userId: string;
  readonly merchantId: string;
  /** Base32. */
  readonly seed: string;
  /** Absent while it is only set up. */
  readonly enabledAt?: Date;
  /** The newest time step whose code was used: no code of it or before it works again (RFC 6238, 5.2). */
  readonly lastStep: number;
  /** Keyed hashes of the recovery codes that are left. */
  readonly recoveryHashes: readonly string[];
}

export const recoveryCodesMade = 10;

/** Wrong codes of a user in a window that lock its codes until the window ends. */
export const codeTriesMax = 5;
export const codeWindowMs = 15 * 60_000;

/** Keyed hashes of recovery codes; capitals, blanks and dashes make no difference. */
interface RecoveryCodeHasher {
  hashRecoveryCode(userId: string, code: string): string;
}

/** What a code was. */
export type CodeKind = 'totp' | 'recovery_code';

/** Uses a code up: the factor without it, or undefined when the code is wrong or was used before. */
export function useCode(
  mfa: Mfa,
  code: string,
  { totp, secrets, now }: { totp: Totp; secrets: RecoveryCodeHasher; now: Date },
): { mfa: Mfa; kind: CodeKind } | undefined {
  const digits = code.replace(/[\s-]/g, '');
  if (/^\d{6}$/.test(digits)) {
    const step = totp.stepOf(mfa.seed, digits, now);
    return step === undefined || step <= mfa.lastStep ? undefined : { mfa: { ...mfa, lastStep: step }, kind: 'totp' };
  }
  const hash = secrets.hashRecoveryCode(mfa.userId, code);
  if (!mfa.recoveryHashes.includes(hash)) return undefined;
  const recoveryHashes = mfa.recoveryHashes.filter((other) => other !== hash);
  return { mfa: { ...mfa, recoveryHashes }, kind: 'recovery_code' };
}
