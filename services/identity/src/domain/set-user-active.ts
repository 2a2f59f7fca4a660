import type { Caller } from '#platform/caller.ts';
import { isId } from '#platform/ids.ts';
import { aboutUser } from './audit-entry.ts';
import { refusal } from './errors.ts';
import type { IdentityContext } from './ports.ts';
import { requireAdmin } from './require-admin.ts';
import type { User } from './user.ts';

type Context = Pick<IdentityContext, 'users' | 'audit' | 'transaction' | 'revocations'>;

/**
 * Makes a user active or inactive. An inactive one's tokens and keys are refused from then on, and work again once it is
 * active again; the gateways are told either way.
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
    await context.audit.record(caller, {
      action: active ? 'user_activated' : 'user_deactivated',
      merchantId: found.merchantId,
      ...aboutUser(found),
    });
    return { ...found, active };
  });
  // Also when nothing changed: the word of an earlier call may have been lost.
  await context.revocations.publish(user.id);
  return user;
}
