import type { Caller } from '#platform/grpc/caller.ts';
import { aboutUser } from './audit-entry.ts';
import { refusal } from './errors.ts';
import { recoveryCodesMade, useCode } from './mfa.ts';
import { mfaMail } from './mfa-mail.ts';
import type { IdentityContext } from './ports.ts';
import { requireSession } from './require-session.ts';
import { reserveTry } from './reserve-try.ts';

type Context = Pick<
  IdentityContext,
  | 'users'
  | 'sessions'
  | 'mfa'
  | 'mfaTries'
  | 'totp'
  | 'secrets'
  | 'audit'
  | 'mails'
  | 'transaction'
  | 'revocations'
  | 'now'
>;

/**
 * Turns MFA on, once a code has proved that the seed arrived. The user's other sessions end, which were opened without.
 * @returns the recovery codes; they are shown this once.
 * @throws AppError `forbidden`, `unauthorized`, `mfa_already_enabled`, `invalid_code` (also when nothing was begun),
 * `rate_limited`.
 */
export async function verifyMfa(context: Context, caller: Caller, code: string): Promise<string[]> {
  const user = await requireSession(context, caller);
  const giveBack = await reserveTry(context, 'settings', user.id);
  const now = context.now();
  const made = Array.from({ length: recoveryCodesMade }, () => context.secrets.newRecoveryCode(user.id));
  const isNew = await context.transaction(async () => {
    if (!(await context.users.claim(user.merchantId, user.id))) throw refusal.unauthorized();
    const begun = await context.mfa.get(user.id);
    if (begun?.enabledAt !== undefined) return false;
    const used = begun && useCode(begun, code, { ...context, now });
    if (used === undefined) throw refusal.invalidCode();
    await context.mfa.save({ ...used.mfa, enabledAt: now, recoveryHashes: made.map(({ hash }) => hash) });
    const sessionsEnded = await context.sessions.endAll(user.merchantId, user.id, now, caller.credentialId);
    await context.audit.record(caller, { action: 'mfa_enabled', ...aboutUser(user), details: { sessionsEnded } });
    await context.mails.add(mfaMail('on', user, caller, now));
    return true;
  });
  // Also when it was on already: the word of an earlier call may have been lost.
  await context.revocations.publish(user.id);
  if (!isNew) throw refusal.mfaAlreadyEnabled();
  await giveBack();
  return made.map(({ code: recoveryCode }) => recoveryCode);
}
