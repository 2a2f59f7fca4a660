import { isMeantAsApiKey, isWellFormedApiKey, secretExpiresAt } from './api-key.ts';
import { refusal } from './errors.ts';
import { limitsOf } from './plan.ts';
import type { IdentityContext, TokenClaims } from './ports.ts';
import type { Principal } from './principal.ts';
import { isLive } from './session.ts';
import { monthOf } from './usage.ts';
import type { User } from './user.ts';

type Context = Pick<
  IdentityContext,
  'users' | 'sessions' | 'appKeys' | 'apiKeys' | 'plans' | 'planDefaults' | 'usage' | 'tokens' | 'secrets' | 'now'
>;

const credentialCharactersMax = 4096;

/**
 * Whom a Bearer secret of any kind stands for.
 * @throws AppError `unauthorized`, whatever is wrong with it.
 */
export async function authenticate(context: Context, credential: string): Promise<Principal> {
  const principal = credential.length <= credentialCharactersMax ? await resolve(context, credential) : undefined;
  if (principal === undefined) throw refusal.unauthorized();
  return principal;
}

async function resolve(context: Context, credential: string): Promise<Principal | undefined> {
  if (isMeantAsApiKey(credential)) return byApiKey(context, credential);
  const claims = await context.tokens.verify(credential, context.now());
  if (claims === undefined) return undefined;
  return claims.type === 'access' ? byAccessToken(context, claims) : byAppKey(context, claims);
}

/** @throws AppError when there is a user, who is inactive. */
function isActive(user: User | undefined): user is User {
  if (user?.active === false) throw refusal.inactiveUser(user.id);
  return user !== undefined;
}

async function byApiKey(context: Context, secret: string): Promise<Principal | undefined> {
  if (!isWellFormedApiKey(secret)) return undefined;
  const shown = await context.apiKeys.findByHash(context.secrets.hashApiKey(secret));
  if (shown === undefined) return undefined;
  const { key } = shown;
  const now = context.now();
  const expiresAt = secretExpiresAt(shown);
  if (expiresAt !== undefined && expiresAt <= now) return undefined;
  const month = monthOf(now);
  const [user, plan, calls] = await Promise.all([
    context.users.get(key.userId),
    context.plans.get(key.merchantId),
    context.usage.calls(key.merchantId, key.id, month),
  ]);
  if (!isActive(user)) return undefined;
  const { id: credentialId, merchantId, userId, scopes, fullAccess, sandboxId } = key;
  return {
    ...{ merchantId: sandboxId ?? merchantId, userId, kind: 'api_key', credentialId, scopes, fullAccess, expiresAt },
    frozen: key.frozenAt !== undefined,
    sandbox: sandboxId !== undefined,
    metering: { ...limitsOf(plan, context.planDefaults), month, calls },
  };
}

async function byAccessToken(
  context: Context,
  claims: TokenClaims & { type: 'access' },
): Promise<Principal | undefined> {
  const { userId, sessionId, expiresAt } = claims;
  const [session, user] = await Promise.all([context.sessions.get(sessionId), context.users.get(userId)]);
  if (!isLive(session, context.now()) || session.userId !== userId || !isActive(user)) return undefined;
  const { merchantId } = session;
  const { admin } = user;
  return { merchantId, userId, kind: 'user', credentialId: sessionId, scopes: [], fullAccess: true, expiresAt, admin };
}

async function byAppKey(context: Context, claims: TokenClaims & { type: 'app' }): Promise<Principal | undefined> {
  const user = await context.users.get(claims.userId);
  if (!isActive(user)) return undefined;
  const appKey = await context.appKeys.get(user.merchantId, claims.appKeyId);
  if (appKey?.userId !== user.id) return undefined;
  const { merchantId, userId, id } = appKey;
  return { merchantId, userId, kind: 'app_key', credentialId: id, scopes: [], fullAccess: true };
}
