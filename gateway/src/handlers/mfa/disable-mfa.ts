import type { Handler } from '../../routes/route.ts';
import type { Confirmation } from '../../schemas/common.ts';
import { MfaCodeRequest } from '../../schemas/mfa.ts';

export const disableMfaShapes = { body: MfaCodeRequest };

/** Turns MFA off. */
export const disableMfa: Handler<typeof disableMfaShapes, typeof Confirmation> = async ({ body }, context) => {
  await context.services.clients.identity.disableMfa({ code: body.code }, context.caller, context.changing());
  return { body: { success: true, message: 'MFA is off.' } };
};
