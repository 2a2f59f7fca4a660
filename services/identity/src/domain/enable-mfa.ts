import type { Caller } from '#platform/grpc/caller.ts';
import { refusal } from './errors.ts';
import type { IdentityContext } from './ports.ts';
import { requireRecentLogIn } from './require-session.ts';

/** What an authenticator app is set up with. */
export interface MfaEnrolment {
  /** Base32. */
  readonly secret: string;
  readonly otpauthUrl: string;
}

/**
 * Begins to set up TOTP (RFC 6238) with a new seed; one that was begun before is dropped.
 * @throws AppError `forbidden`, `unauthorized`, `recent_login_required`, `mfa_already_enabled`.
 */
export async function enableMfa(
  context: Pick<IdentityContext, 'users' | 'sessions' | 'mfa' | 'totp' | 'now'>,
  caller: Caller,
): Promise<MfaEnrolment> {
  const { id: userId, merchantId, email } = await requireRecentLogIn(context, caller);
  const seed = context.totp.newSeed();
  const begun = await context.mfa.begin({ userId, merchantId, seed, lastStep: 0, recoveryHashes: [] });
  if (!begun) throw refusal.mfaAlreadyEnabled();
  return { secret: seed, otpauthUrl: context.totp.url(seed, email) };
}
