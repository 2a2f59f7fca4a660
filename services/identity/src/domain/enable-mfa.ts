import type { Caller } from '#platform/caller.ts';
import { refusal } from './errors.ts';
import type { IdentityContext } from './ports.ts';
import { requireSession } from './require-session.ts';

/** What an authenticator app is set up with. */
export interface MfaEnrolment {
  /** Base32. */
  readonly secret: string;
  readonly otpauthUrl: string;
}

/**
 * Begins to set up TOTP (RFC 6238) with a new seed; one that was begun before is dropped.
 * @throws AppError `forbidden`, `unauthorized`, `mfa_already_enabled`.
 */
export async function enableMfa(
  context: Pick<IdentityContext, 'users' | 'mfa' | 'totp'>,
  caller: Caller,
): Promise<MfaEnrolment> {
  const { id: userId, merchantId, email } = await requireSession(context, caller);
  const seed = context.totp.newSeed();
  const begun = await context.mfa.begin({ userId, merchantId, seed, lastStep: 0, recoveryHashes: [] });
  if (!begun) throw refusal.mfaAlreadyEnabled();
  return { secret: seed, otpauthUrl: context.totp.url(seed, email) };
}
