import type { Caller } from '#platform/grpc/caller.ts';
import { isMeantAsApiKey } from './api-key.ts';
import { endSession } from './end-session.ts';
import { refusal } from './errors.ts';
import type { IdentityContext } from './ports.ts';

type Context = Pick<IdentityContext, 'users' | 'sessions' | 'tokens' | 'secrets'> & Parameters<typeof endSession>[0];

/**
 * Ends the session of an access or refresh token, in the way of RFC 7009. The token may have run out; one whose session
 * is over, or that is none of ours, is no error (2.2).
 * @returns the session's id; undefined when there is none.
 * @throws AppError `forbidden` for a key, which is revoked elsewhere.
 */
export async function logOut(context: Context, caller: Caller, token: string): Promise<string | undefined> {
  const sessionId = await sessionOf(context, token);
  const session = sessionId === undefined ? undefined : await context.sessions.get(sessionId);
  const user = session && (await context.users.get(session.userId));
  if (session === undefined || user === undefined) return undefined;
  await endSession(context, caller, { session, user, reason: 'logged_out', actor: { type: 'user', id: user.id } });
  return session.id;
}

async function sessionOf(context: Context, token: string): Promise<string | undefined> {
  if (isMeantAsApiKey(token)) throw refusal.forbidden();
  const claims = await context.tokens.verify(token, undefined);
  if (claims?.type === 'app') throw refusal.forbidden();
  if (claims !== undefined) return claims.sessionId;
  return (await context.sessions.findRefreshToken(context.secrets.hashRefreshToken(token)))?.sessionId;
}
