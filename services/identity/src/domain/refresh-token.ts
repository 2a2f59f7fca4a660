import type { Caller } from '#platform/grpc/caller.ts';
import { endSession } from './end-session.ts';
import { refusal } from './errors.ts';
import { type TokenPair, tokenPair } from './log-in.ts';
import type { IdentityContext } from './ports.ts';
import { isLive, type RefreshToken, refreshTokenMs } from './session.ts';

type Context = Pick<IdentityContext, 'users' | 'sessions' | 'tokens' | 'secrets' | 'now'> &
  Parameters<typeof endSession>[0];

/**
 * Exchanges a refresh token for a new pair, once. A token that comes a second time is in two hands, and nobody can
 * tell which is the thief's: the whole session ends, the pair that the first use gave included (RFC 9700, 4.14.2).
 * @throws AppError `invalid_grant` when it is unknown, expired or used, or its session is over.
 */
export async function refreshToken(context: Context, caller: Caller, token: string): Promise<TokenPair> {
  const now = context.now();
  const given = await context.sessions.findRefreshToken(context.secrets.hashRefreshToken(token));
  if (given === undefined || given.expiresAt <= now) throw refusal.invalidGrant();
  const { merchantId, userId, sessionId } = given;
  const [session, user] = await Promise.all([context.sessions.get(sessionId), context.users.get(userId)]);
  if (!isLive(session, now) || !user?.active) throw refusal.invalidGrant();

  const { token: nextToken, hash } = context.secrets.newRefreshToken();
  const expiresAt = new Date(now.getTime() + refreshTokenMs);
  const next: RefreshToken = { hash, merchantId, userId, sessionId, expiresAt };
  const unused = given.usedAt === undefined && (await context.sessions.rotate(given.hash, next, now));
  if (!unused) {
    await endSession(context, caller, { session, user, reason: 'refresh_token_reused' });
    throw refusal.invalidGrant();
  }
  return tokenPair(context, { userId, sessionId }, nextToken);
}
