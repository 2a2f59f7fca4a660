import { createToken, createTokenShapes, loginEmail } from '../handlers/token/create-token.ts';
import { getToken } from '../handlers/token/get-token.ts';
import { TokenResponse, UserRead } from '../schemas/identity.ts';
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
];
