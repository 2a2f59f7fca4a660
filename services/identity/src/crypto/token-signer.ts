import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import type { JWTHeaderParameters, JWTPayload } from 'jose';
import { SignJWT } from 'jose/jwt/sign';
import { jwtVerify } from 'jose/jwt/verify';
import type { PublicKey, TokenClaims, TokenSigner } from '../domain/ports.ts';
import { accessTokenSeconds } from '../domain/session.ts';

const alg = 'EdDSA';
const issuer = 'tallycard';
const audience = 'tallycard-api';

/**
 * JWTs (RFC 7519) signed with Ed25519. The claim `typ` tells an access token (`access`, 15 minutes, `sid` its session)
 * from an app key (`app`, without expiry, `jti` its record). `kid` in the header says which key signed.
 * @param formerKeys - public keys of earlier signing keys, whose tokens go on to work
 */
export function createTokenSigner(privateKey: KeyObject, formerKeys: readonly KeyObject[] = []): TokenSigner {
  const keys = new Map([createPublicKey(privateKey), ...formerKeys].map((key) => [toPublicKey(key).kid, key]));
  const kid = toPublicKey(createPublicKey(privateKey)).kid;
  const keyOf = (header: Partial<JWTHeaderParameters>): KeyObject => {
    const key = keys.get(header.kid ?? '');
    if (key === undefined) throw new Error('no key of ours signed this');
    return key;
  };
  const seconds = (time: Date) => Math.floor(time.getTime() / 1000);
  const build = (claims: JWTPayload, userId: string, now: Date) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg, typ: 'JWT', kid })
      .setIssuer(issuer)
      .setAudience(audience)
      .setSubject(userId)
      .setIssuedAt(seconds(now));
  return {
    signAccess({ userId, sessionId }, now) {
      const token = build({ typ: 'access', sid: sessionId }, userId, now);
      return token.setExpirationTime(seconds(now) + accessTokenSeconds).sign(privateKey);
    },
    signApp({ userId, appKeyId }, now) {
      return build({ typ: 'app' }, userId, now).setJti(appKeyId).sign(privateKey);
    },
    async verify(token, now) {
      try {
        const options = { algorithms: [alg], issuer, audience, typ: 'JWT', currentDate: now ?? new Date(0) };
        const { payload } = await jwtVerify(token, keyOf, options);
        return toClaims(payload);
      } catch {
        return undefined;
      }
    },
    publicKeys: () => [...keys.values()].map(toPublicKey),
  };
}

/** What we signed has all of a type's claims; anything else is not a token of that type. */
function toClaims({ typ, sub, sid, jti, exp }: JWTPayload): TokenClaims | undefined {
  if (sub === undefined) return undefined;
  if (typ === 'access' && typeof sid === 'string' && exp !== undefined) {
    return { type: 'access', userId: sub, sessionId: sid, expiresAt: new Date(exp * 1000) };
  }
  if (typ === 'app' && jti !== undefined) return { type: 'app', userId: sub, appKeyId: jti };
  return undefined;
}

/** With its thumbprint by RFC 7638 (and RFC 8037 for the members): that names it, so that app keys outlive a change of key. */
function toPublicKey(key: KeyObject): PublicKey {
  const { crv, kty, x = '' } = key.export({ format: 'jwk' });
  return { kid: createHash('sha256').update(JSON.stringify({ crv, kty, x })).digest('base64url'), x };
}
