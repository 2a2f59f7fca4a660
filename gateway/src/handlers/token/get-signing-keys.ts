import type { Handler } from '../../routes/route.ts';
import type { JsonWebKeySet } from '../../schemas/identity.ts';

/** The keys that access tokens and app keys are verified with, as a JWK set (RFC 7517, RFC 8037). */
export const getSigningKeys: Handler<object, typeof JsonWebKeySet> = async (_input, { services, caller }) => {
  const keys = await services.signingKeys.load(caller);
  return {
    body: {
      keys: keys.map(({ kid, x }) => ({ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig', kid, x })),
    },
    headers: { 'Cache-Control': 'public, max-age=300' },
  };
};
