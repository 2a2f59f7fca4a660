import type { Caller } from '#platform/grpc/caller.ts';
import { isId } from '#platform/ids.ts';
import { aboutUser } from './audit-entry.ts';
import { refusal } from './errors.ts';
import { mfaMail } from './mfa-mail.ts';
import type { IdentityContext } from './ports.ts';
import { requireAdmin } from './require-admin.ts';
import type { User } from './user.ts';

type Context = Pick<
  IdentityContext,
  'users' | 'sessions' | 'mfa' | 'mfaTries' | 'audit' | 'mails' | 'transaction' | 'revocations' | 'now'
>;

/**
 * Takes the second factor of a user away who has lost it, and ends its sessions. Not an administrator's own: whoever has
 * stolen a token of one could do without the codes then.
 * @returns the user, whether or not it had a second factor.
 * @throws AppError `forbidden`, `not_found`, `cannot_reset_own_mfa`.
 */
export async function resetMfa(context: Context, caller: Caller, userId: string): Promise<User> {
  const now = context.now();
  const user = await context.transaction(async () => {
    const admin = await requireAdmin(context, caller);
    const found = isId(userId) ? await context.users.get(userId) : undefined;
    if (found === undefined) throw refusal.userNotFound();
    if (found.id === admin.id) throw refusal.cannotResetOwnMfa();
    const { id, merchantId } = found;
    await context.users.claim(merchantId, id);
    const wasOn = (await context.mfa.get(id))?.enabledAt !== undefined;
    await context.mfa.remove(id);
    const sessionsEnded = await context.sessions.endAll(merchantId, id, now);
    const details = { wasOn, sessionsEnded };
    await context.audit.record(caller, { action: 'mfa_reset', merchantId, ...aboutUser(found), details });
    if (wasOn) await context.mails.add(mfaMail('reset', found, undefined, now));
    return found;
  });
  await context.revocations.publish(user.id);
  await context.mfaTries.clear(user.id);
  return user;
}
