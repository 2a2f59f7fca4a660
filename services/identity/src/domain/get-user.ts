import type { Caller } from '#platform/grpc/caller.ts';
import { refusal } from './errors.ts';
import type { IdentityContext } from './ports.ts';
import type { User } from './user.ts';

/**
 * The caller's own user. A key of the sandbox is shown its merchant's id, since requests name it as the merchant.
 * @throws AppError `forbidden` for a caller that is no user's, `unauthorized` when the user is gone or inactive.
 */
export async function getUser(context: Pick<IdentityContext, 'users'>, caller: Caller): Promise<User> {
  if (caller.kind === 'anonymous' || caller.kind === 'operator') throw refusal.forbidden();
  const user = await context.users.get(caller.userId);
  if (!user?.active) throw refusal.unauthorized();
  return caller.merchantId === user.merchantId ? user : { ...user, id: caller.merchantId };
}
