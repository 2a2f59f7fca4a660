import type { Caller } from '#platform/grpc/caller.ts';
import { aboutUser } from './audit-entry.ts';
import { refusal } from './errors.ts';
import { useCode } from './mfa.ts';
import { mfaMail } from './mfa-mail.ts';
import type { IdentityContext } from './ports.ts';
import { requireSession } from './require-session.ts';
import { reserveTry } from './reserve-try.ts';

type Context = Pick<
  IdentityContext,
  'users' | 'mfa' | 'mfaTries' | 'totp' | 'secrets' | 'audit' | 'mails' | 'transaction' | 'now'
>;

/**
 * Turns MFA off.
 * @param code - of the authenticator, or a recovery code
 * @throws AppError `forbidden`, `unauthorized`, `invalid_code` (also when it is not on), `rate_limited`.
 */
export async function disableMfa(context: Context, caller: Caller, code: string): Promise<void> {
  const user = await requireSession(context, caller);
  const giveBack = await reserveTry(context, 'settings', user.id);
  const now = context.now();
  await context.transaction(async () => {
    const mfa = await context.mfa.get(user.id);
    const used = mfa?.enabledAt && useCode(mfa, code, { ...context, now });
    if (used === undefined) throw refusal.invalidCode();
    await context.mfa.remove(user.id);
    await context.audit.record(caller, { action: 'mfa_disabled', ...aboutUser(user), details: { by: used.kind } });
    await context.mails.add(mfaMail('off', user, caller, now));
  });
  await giveBack();
}
