import { createToken, createTokenShapes, loginEmail } from '../handlers/token/create-token.ts';
import { getSigningKeys } from '../handlers/token/get-signing-keys.ts';
import { getToken } from '../handlers/token/get-token.ts';
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
