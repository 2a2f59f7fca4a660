import type { Caller } from '#platform/grpc/caller.ts';
import { refusal } from './errors.ts';
import type { IdentityContext } from './ports.ts';
import type { User } from './user.ts';

/**
 * The administrator who calls, as the database has it now. No key of any kind administers.
 * @throws AppError `forbidden` for everyone else.
 */
export async function requireAdmin(context: Pick<IdentityContext, 'users'>, caller: Caller): Promise<User> {
  const user = caller.kind === 'user' ? await context.users.get(caller.userId) : undefined;
  if (!user?.active || !user.admin) throw refusal.forbidden('admin');
  return user;
}
