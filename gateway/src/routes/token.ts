import { createToken, createTokenShapes, loginEmail } from '../handlers/token/create-token.ts';
import { getSigningKeys } from '../handlers/token/get-signing-keys.ts';
import { getToken } from '../handlers/token/get-token.ts';
import { logOut, logOutShapes } from '../handlers/token/log-out.ts';
import { NoContent } from '../schemas/common.ts';
import { JsonWebKeySet, TokenResponse, UserRead } from '../schemas/identity.ts';
import { type Route, route } from './route.ts';

const tag = 'Token';

export const tokenRoutes: readonly Route[] = [
  route({
    method: 'post',
    path: '/v2/token',
    operationId: 'createToken',
    tag,
    summary: 'Trade a password or a refresh token for an access token',
    auth: 'none',
    limits: [{ limit: 'tokenPerIp' }, { limit: 'tokenPerEmail', subject: ({ body }) => loginEmail(body) }],
    public: false,
    request: createTokenShapes,
    bodyTypes: ['json', 'form'],
    success: { status: 200, schema: TokenResponse, description: 'The tokens.' },
    errors: ['invalid_grant', 'mfa_required'],
    handler: createToken,
  }),
  route({
    method: 'post',
    path: '/v2/token/logout',
    operationId: 'logOut',
    tag,
    summary: 'End the session of a token',
    description:
      'In the way of RFC 7009. The token may have run out; one whose session is over, or that is unknown, is answered alike.',
    auth: 'none',
    limits: [{ limit: 'logOutPerIp' }],
    // A token that leaked can be stopped at all times.
    withoutRedis: 'count-locally',
    public: false,
    request: logOutShapes,
    bodyTypes: ['json', 'form'],
    success: { status: 204, schema: NoContent, description: 'The session is over: none of its tokens works any more.' },
    errors: ['forbidden'],
    handler: logOut,
  }),
  route({
    method: 'get',
    path: '/v2/token',
    operationId: 'getToken',
    tag,
    summary: 'The user behind the credential',
    description: 'Works with every credential; an API key needs no scope for it.',
    auth: 'bearer',
    public: true,
    request: {},
    storable: false,
    success: { status: 200, schema: UserRead, description: 'The user.' },
    errors: [],
    handler: getToken,
  }),
  route({
    method: 'get',
    path: '/.well-known/jwks.json',
    operationId: 'getSigningKeys',
    tag,
    summary: 'The public keys that access tokens and app keys are signed with',
    auth: 'none',
    public: false,
    request: {},
    success: { status: 200, schema: JsonWebKeySet, description: 'The keys, the one that signs first.' },
    errors: [],
    handler: getSigningKeys,
  }),
];
