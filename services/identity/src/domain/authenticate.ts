import { isWellFormedApiKey, liveKeyPrefix } from './api-key.ts';
import { refusal } from './errors.ts';
import type { IdentityContext, TokenClaims } from './ports.ts';
import type { Principal } from './principal.ts';
import { isLive } from './session.ts';

type Context = Pick<IdentityContext, 'users' | 'sessions' | 'appKeys' | 'apiKeys' | 'tokens' | 'secrets' | 'now'>;

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
  if (credential.startsWith(liveKeyPrefix)) return byApiKey(context, credential);
  const claims = await context.tokens.verify(credential, context.now());
  if (claims === undefined) return undefined;
  return claims.type === 'access' ? byAccessToken(context, claims) : byAppKey(context, claims);
}

async function byApiKey(context: Context, secret: string): Promise<Principal | undefined> {
  if (!isWellFormedApiKey(secret)) return undefined;
  const key = await context.apiKeys.findByHash(context.secrets.hashApiKey(secret));
  if (key === undefined || (key.expiresAt !== undefined && key.expiresAt <= context.now())) return undefined;
  const user = await context.users.get(key.userId);
  if (!user?.active) return undefined;
  const { merchantId, userId, scopes, fullAccess, expiresAt } = key;
  return { merchantId, userId, kind: 'api_key', credentialId: key.id, scopes, fullAccess, expiresAt };
}

async function byAccessToken(
  context: Context,
  claims: TokenClaims & { type: 'access' },
): Promise<Principal | undefined> {
  const { userId, sessionId, expiresAt } = claims;
  const [session, user] = await Promise.all([context.sessions.get(sessionId), context.users.get(userId)]);
  if (!isLive(session, context.now()) || session.userId !== userId || !user?.active) return undefined;
  const { merchantId } = session;
  const { admin } = user;
  return { merchantId, userId, kind: 'user', credentialId: sessionId, scopes: [], fullAccess: true, expiresAt, admin };
}

async function byAppKey(context: Context, claims: TokenClaims & { type: 'app' }): Promise<Principal | undefined> {
  const user = await context.users.get(claims.userId);
  if (!user?.active) return undefined;
  const appKey = await context.appKeys.get(user.merchantId, claims.appKeyId);
  if (appKey?.userId !== user.id) return undefined;
  const { merchantId, userId, id } = appKey;
  return { merchantId, userId, kind: 'app_key', credentialId: id, scopes: [], fullAccess: true };
}
