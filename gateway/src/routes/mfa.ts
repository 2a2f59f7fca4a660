import type { Context } from '../context.ts';
import { disableMfa, disableMfaShapes } from '../handlers/mfa/disable-mfa.ts';
import { enableMfa } from '../handlers/mfa/enable-mfa.ts';
import { verifyMfa, verifyMfaShapes } from '../handlers/mfa/verify-mfa.ts';
import { Confirmation } from '../schemas/common.ts';
import { MfaEnrolment, MfaRecoveryCodes } from '../schemas/mfa.ts';
import { type Route, route } from './route.ts';

const common = {
  method: 'post',
  tag: 'Token',
  auth: 'session',
  public: false,
  limits: [{ limit: 'mfaPerUser', subject: (_input: unknown, { caller }: Context) => caller.userId }],
} as const;

export const mfaRoutes: readonly Route[] = [
  route({
    ...common,
    path: '/v2/token/mfa/enable',
    operationId: 'enableMfa',
    summary: 'Begin to set up a second factor',
    description: 'Needs the access token of a log-in of the last ten minutes, however often it was refreshed since.',
    request: {},
    success: { status: 200, schema: MfaEnrolment, description: 'What an authenticator app needs.' },
    errors: ['recent_login_required', 'mfa_already_enabled'],
    handler: enableMfa,
  }),
  route({
    ...common,
    path: '/v2/token/mfa/verify',
    operationId: 'verifyMfa',
    summary: 'Turn the second factor on with a code of it',
    description: "Ends the user's other sessions.",
    request: verifyMfaShapes,
    success: { status: 200, schema: MfaRecoveryCodes, description: 'It is on; ten recovery codes.' },
    errors: ['invalid_code', 'mfa_already_enabled'],
    handler: verifyMfa,
  }),
  route({
    ...common,
    path: '/v2/token/mfa/disable',
    operationId: 'disableMfa',
    summary: 'Turn the second factor off',
    request: disableMfaShapes,
    success: { status: 200, schema: Confirmation, description: 'It is off.' },
    errors: ['invalid_code'],
    handler: disableMfa,
  }),
];
