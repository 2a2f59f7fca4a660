import type { Caller } from '#platform/grpc/caller.ts';
import { isId } from '#platform/ids.ts';
import { aboutUser } from './audit-entry.ts';
import { refusal } from './errors.ts';
import type { IdentityContext } from './ports.ts';
import { requireAdmin } from './require-admin.ts';
import type { User } from './user.ts';

type Context = Pick<IdentityContext, 'users' | 'sessions' | 'audit' | 'transaction' | 'revocations' | 'now'>;

/**
 * Makes a user active or inactive. An inactive one's sessions end and its keys are refused from then on; the keys work
 * again once it is active again. The gateways are told either way.
 * @throws AppError `forbidden`, `not_found`, `cannot_deactivate_self`.
 */
export async function setUserActive(
  context: Context,
  caller: Caller,
  { userId, active }: { userId: string; active: boolean },
): Promise<User> {
  const user = await context.transaction(async () => {
    const admin = await requireAdmin(context, caller);
    const found = isId(userId) ? await context.users.get(userId) : undefined;
    if (found === undefined) throw refusal.userNotFound();
    if (found.id === admin.id && !active) throw refusal.cannotDeactivateSelf();
    if (found.active === active) return found;
    await context.users.setActive(found.merchantId, found.id, active);
    // On activation too, for a user who was made inactive when that ended no sessions.
    const sessionsEnded = await context.sessions.endAll(found.merchantId, found.id, context.now());
    await context.audit.record(caller, {
      action: active ? 'user_activated' : 'user_deactivated',
      merchantId: found.merchantId,
      ...aboutUser(found),
      details: { sessionsEnded },
    });
    return { ...found, active };
  });
  // Also when nothing changed: the word of an earlier call may have been lost.
  await context.revocations.publish(user.id);
  return user;
}
