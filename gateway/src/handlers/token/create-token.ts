import type { Context } from '../../context.ts';
import type { Handler } from '../../routes/route.ts';
import { CreateTokenRequest, type TokenResponse } from '../../schemas/identity.ts';

export const createTokenShapes = { body: CreateTokenRequest };

/** Trades a password or a refresh token for a pair of tokens. */
export const createToken: Handler<typeof createTokenShapes, typeof TokenResponse> = async ({ body }, context) => {
  const pair = await tokenPair(body, context);
  return {
    body: {
      access_token: pair.accessToken,
      token_type: 'Bearer',
      expires_in: pair.expiresInSeconds,
      refresh_token: pair.refreshToken,
    },
    headers: { 'Cache-Control': 'no-store', Pragma: 'no-cache' },
  };
};

type Body = Parameters<typeof createToken>[0]['body'];

function tokenPair(body: Body, context: Context) {
  const { identity } = context.services.clients;
  if (body.grant_type === 'refresh_token') {
    return identity.refreshToken({ refreshToken: body.refresh_token ?? '' }, context.caller, context.changing());
  }
  return identity.logIn(
    { email: loginEmail(body) ?? '', passwordHash: body.passwordHash, password: body.password, code: body.code },
    context.caller,
    context.changing(),
  );
}

/** The e-mail that a login is for, and is counted against; undefined for another grant. */
export function loginEmail(body: Body): string | undefined {
  if (body.grant_type !== 'password') return undefined;
  return (body.email ?? body.username)?.trim().toLowerCase();
}
