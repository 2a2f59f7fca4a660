import type { Caller } from '#platform/grpc/caller.ts';
import { newId } from '#platform/ids.ts';
import { BodyCheck } from '#platform/validation.ts';
import { aboutUser } from './audit-entry.ts';
import { refusal } from './errors.ts';
import { type CodeKind, type Mfa, useCode } from './mfa.ts';
import { type GivenPassword, passwordHashOf } from './password.ts';
import type { IdentityContext } from './ports.ts';
import { reserveTry } from './reserve-try.ts';
import { accessTokenSeconds, type RefreshToken, refreshTokenMs } from './session.ts';
import { normalizeEmail, type User } from './user.ts';

/** What a log-in or a refresh gives. */
export interface TokenPair {
  readonly accessToken: string;
  readonly expiresInSeconds: number;
  readonly refreshToken: string;
}

export interface LogInCommand extends GivenPassword {
  readonly email: string;
  /** Of the authenticator, or a recovery code. */
  readonly code?: string;
}

type Context = Pick<
  IdentityContext,
  'users' | 'sessions' | 'passwords' | 'tokens' | 'secrets' | 'mfa' | 'mfaTries' | 'totp'
> &
  Pick<IdentityContext, 'audit' | 'transaction' | 'now'>;

/**
 * Opens a session for an e-mail, its password and, when MFA is on, a code.
 * @throws AppError `invalid_grant` for an unknown e-mail, a wrong password and an inactive user alike, after the same
 * work, so that neither answer nor time tells who has an account; also for a wrong or used code. Only to who has the
 * password: `mfa_required` without a code, `rate_limited` after too many wrong ones. 422 when no password is given.
 */
export async function logIn(context: Context, caller: Caller, command: LogInCommand): Promise<TokenPair> {
  const given = command.passwordHash ?? command.password;
  new BodyCheck().rule('password', given !== undefined, 'passwordHash or password is needed').done();
  const email = normalizeEmail(command.email);
  const [passwordHash, found] = await Promise.all([
    passwordHashOf(context.passwords, email, command),
    context.users.findByEmail(email),
  ]);
  const matches = await context.passwords.verify(passwordHash, found?.storedPassword);
  const user = found?.user;
  if (!matches || !user?.active) throw await failed(context, caller, user, matches ? 'inactive' : 'password');
  const mfa = await context.mfa.get(user.id);
  if (mfa?.enabledAt === undefined) return withPassword(context, caller, user);
  if (command.code === undefined) throw refusal.mfaRequired();
  return withCode(context, caller, user, command.code);
}

/** Looks at the user and its second factor again, with both held: it may have been made inactive, or MFA turned on, since. */
function withPassword(context: Context, caller: Caller, user: User): Promise<TokenPair> {
  return context.transaction(async () => {
    await claim(context, user);
    const mfa = await context.mfa.get(user.id);
    if (mfa?.enabledAt !== undefined) throw refusal.mfaRequired();
    return open(context, caller, user, 'password');
  });
}

async function claim(context: Context, { merchantId, id }: User): Promise<void> {
  if (!(await context.users.claim(merchantId, id))) throw refusal.invalidGrant();
}

/** The code is used up and the session made in one transaction: of log-ins at once with one code, one gets a session. */
async function withCode(context: Context, caller: Caller, user: User, code: string): Promise<TokenPair> {
  const giveBack = await reserveTry(context, 'log_in', user.id);
  const pair = await context.transaction(async () => {
    const mfa = await context.mfa.get(user.id);
    const used = mfa && spend(context, mfa, code);
    if (used === undefined) return undefined;
    await claim(context, user);
    await context.mfa.save(used.mfa);
    return open(context, caller, user, used.kind);
  });
  if (pair === undefined) throw await failed(context, caller, user, 'code');
  await giveBack();
  return pair;
}

const spend = (context: Context, mfa: Mfa, code: string) =>
  mfa.enabledAt === undefined ? undefined : useCode(mfa, code, { ...context, now: context.now() });

/** Written before the answer. An e-mail that nobody has takes the same work: only its time would tell of an account. */
async function failed(
  context: Context,
  caller: Caller,
  user: User | undefined,
  reason: 'password' | 'code' | 'inactive',
): Promise<Error> {
  const id = user?.id ?? newId();
  const about = aboutUser(user ?? { id, email: '' });
  const change = { action: 'login_failed', merchantId: user?.merchantId ?? id, ...about, details: { reason } } as const;
  await (user === undefined ? context.audit.recordOfNobody(caller, change) : context.audit.record(caller, change));
  return refusal.invalidGrant();
}

async function open(context: Context, caller: Caller, user: User, by: CodeKind | 'password'): Promise<TokenPair> {
  const now = context.now();
  const { token, hash } = context.secrets.newRefreshToken();
  const expiresAt = new Date(now.getTime() + refreshTokenMs);
  const owner = { merchantId: user.merchantId, userId: user.id };
  const session = { id: newId(now.getTime()), ...owner, createdAt: now, expiresAt };
  const first: RefreshToken = { hash, ...owner, sessionId: session.id, expiresAt };
  await context.sessions.insert(session, first);
  const actor = { type: 'user', id: user.id } as const;
  const details = { secondFactor: by === 'password' ? 'none' : by };
  await context.audit.record(caller, {
    ...{ action: 'login_succeeded', merchantId: user.merchantId, actor },
    ...{ ...aboutUser(user), details },
  });
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
