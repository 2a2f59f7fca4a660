import type { Caller } from '#platform/grpc/caller.ts';
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

/** Time to go from a log-in to the settings. */
const recentMs = 10 * 60_000;

/**
 * The same, for what must not be done with a token that was stolen: the session was opened just now, by a log-in.
 * @throws AppError as {@link requireSession}, `recent_login_required`.
 */
export async function requireRecentLogIn(
  context: Pick<IdentityContext, 'users' | 'sessions' | 'now'>,
  caller: Caller,
): Promise<User> {
  const user = await requireSession(context, caller);
  const session = await context.sessions.get(caller.credentialId);
  if (session?.userId !== user.id) throw refusal.unauthorized();
  const ageMs = context.now().getTime() - session.createdAt.getTime();
  if (ageMs > recentMs) throw refusal.recentLogInRequired(recentMs / 1000);
  return user;
}
