import { newId } from '#platform/ids.ts';
import { BodyCheck } from '#platform/validation.ts';
import { refusal } from './errors.ts';
import { type GivenPassword, passwordHashOf } from './password.ts';
import type { IdentityContext } from './ports.ts';
import { accessTokenSeconds, type RefreshToken, refreshTokenMs } from './session.ts';
import { normalizeEmail, type User } from './user.ts';

/** What a log-in or a refresh gives. */
export interface TokenPair {
  readonly accessToken: string;
  readonly expiresInSeconds: number;
  readonly refreshToken: string;
}

type Context = Pick<IdentityContext, 'users' | 'sessions' | 'passwords' | 'tokens' | 'secrets' | 'now'>;

/**
 * Opens a session for an e-mail and its password.
 * @throws AppError `invalid_grant` for an unknown e-mail, a wrong password and an inactive user alike, after the same
 * work, so that neither answer nor time tells who has an account; 422 when no password is given.
 */
export async function logIn(context: Context, command: { email: string } & GivenPassword): Promise<TokenPair> {
  const given = command.passwordHash ?? command.password;
  new BodyCheck().rule('password', given !== undefined, 'passwordHash or password is needed').done();
  const email = normalizeEmail(command.email);
  const [passwordHash, found] = await Promise.all([
    passwordHashOf(context.passwords, email, command),
    context.users.findByEmail(email),
  ]);
  const matches = await context.passwords.verify(passwordHash, found?.storedPassword);
  if (!matches || found === undefined || !found.user.active) throw refusal.invalidGrant();
  return openSession(context, found.user);
}

async function openSession(context: Context, user: User): Promise<TokenPair> {
  const now = context.now();
  const { token, hash } = context.secrets.newRefreshToken();
  const expiresAt = new Date(now.getTime() + refreshTokenMs);
  const owner = { merchantId: user.merchantId, userId: user.id };
  const session = { id: newId(now.getTime()), ...owner, createdAt: now, expiresAt };
  const first: RefreshToken = { hash, ...owner, sessionId: session.id, expiresAt };
  await context.sessions.insert(session, first);
  return tokenPair(context, { userId: user.id, sessionId: session.id }, token);
}

/** The answer for a session: a fresh access token beside the refresh token. */
export async function tokenPair(
  context: Pick<IdentityContext, 'tokens' | 'now'>,
  claims: { userId: string; sessionId: string },
  refreshToken: string,
): Promise<TokenPair> {
  const accessToken = await context.tokens.signAccess(claims, context.now());
  return { accessToken, expiresInSeconds: accessTokenSeconds, refreshToken };
}
