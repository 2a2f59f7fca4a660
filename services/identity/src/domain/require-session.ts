import type { Caller } from '#platform/caller.ts';
import { refusal } from './errors.ts';
import type { IdentityContext } from './ports.ts';
import type { User } from './user.ts';

/**
 * The user who calls with the access token of a log-in. No key changes how its user logs in.
 * @throws AppError `forbidden` for keys, `unauthorized` when the user is gone or inactive.
 */
export async function requireSession(context: Pick<IdentityContext, 'users'>, caller: Caller): Promise<User> {
  if (caller.kind !== 'user') throw refusal.forbidden();
  const user = await context.users.get(caller.userId);
  if (!user?.active) throw refusal.unauthorized();
  return user;
}
