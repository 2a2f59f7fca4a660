import type { Caller } from '#platform/grpc/caller.ts';
import { refusal } from './errors.ts';
import type { IdentityContext } from './ports.ts';
import { requireAdmin } from './require-admin.ts';
import { normalizeEmail, type User } from './user.ts';

/** The user with an e-mail, of whatever merchant, active or not. @throws AppError `forbidden`, `not_found`. */
export async function findUser(context: Pick<IdentityContext, 'users'>, caller: Caller, email: string): Promise<User> {
  await requireAdmin(context, caller);
  const found = await context.users.findByEmail(normalizeEmail(email));
  if (found === undefined) throw refusal.userNotFound();
  return found.user;
}
