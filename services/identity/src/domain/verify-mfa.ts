import type { Caller } from '#platform/caller.ts';
import { aboutUser } from './audit-entry.ts';
import { refusal } from './errors.ts';
import { recoveryCodesMade, useCode } from './mfa.ts';
import type { IdentityContext } from './ports.ts';
import { requireSession } from './require-session.ts';
import { reserveTry } from './reserve-try.ts';

type Context = Pick<
  IdentityContext,
  'users' | 'mfa' | 'mfaTries' | 'totp' | 'secrets' | 'audit' | 'transaction' | 'now'
>;

/**
 * Turns MFA on, once a code has proved that the seed arrived.
 * @returns the recovery codes; they are shown this once.
 * @throws AppError `forbidden`, `unauthorized`, `mfa_already_enabled`, `invalid_code` (also when nothing was begun),
 * `rate_limited`.
 */
export async function verifyMfa(context: Context, caller: Caller, code: string): Promise<string[]> {
  const user = await requireSession(context, caller);
  await reserveTry(context, user.id);
  const now = context.now();
  const made = Array.from({ length: recoveryCodesMade }, () => context.secrets.newRecoveryCode(user.id));
  await context.transaction(async () => {
    const begun = await context.mfa.get(user.id);
    if (begun?.enabledAt !== undefined) throw refusal.mfaAlreadyEnabled();
    const used = begun && useCode(begun, code, { ...context, now });
    if (used === undefined) throw refusal.invalidCode();
    await context.mfa.save({ ...used.mfa, enabledAt: now, recoveryHashes: made.map(({ hash }) => hash) });
    await context.audit.record(caller, { action: 'mfa_enabled', ...aboutUser(user) });
  });
  await context.mfaTries.clear(user.id);
  return made.map(({ code: recoveryCode }) => recoveryCode);
}
