import type { Caller } from '#platform/caller.ts';
import { aboutUser } from './audit-entry.ts';
import { refusal } from './errors.ts';
import { useCode } from './mfa.ts';
import type { IdentityContext } from './ports.ts';
import { requireSession } from './require-session.ts';
import { reserveTry } from './reserve-try.ts';

type Context = Pick<
  IdentityContext,
  'users' | 'mfa' | 'mfaTries' | 'totp' | 'secrets' | 'audit' | 'transaction' | 'now'
>;

/**
 * Turns MFA off.
 * @param code - of the authenticator, or a recovery code
 * @throws AppError `forbidden`, `unauthorized`, `invalid_code` (also when it is not on), `rate_limited`.
 */
export async function disableMfa(context: Context, caller: Caller, code: string): Promise<void> {
  const user = await requireSession(context, caller);
  await reserveTry(context, user.id);
  await context.transaction(async () => {
    const mfa = await context.mfa.get(user.id);
    const used = mfa?.enabledAt && useCode(mfa, code, { ...context, now: context.now() });
    if (used === undefined) throw refusal.invalidCode();
    await context.mfa.remove(user.id);
    await context.audit.record(caller, { action: 'mfa_disabled', ...aboutUser(user), details: { by: used.kind } });
  });
  await context.mfaTries.clear(user.id);
}
