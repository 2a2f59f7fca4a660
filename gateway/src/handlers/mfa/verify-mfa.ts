import type { Handler } from '../../routes/route.ts';
import { MfaCodeRequest, type MfaRecoveryCodes } from '../../schemas/mfa.ts';

export const verifyMfaShapes = { body: MfaCodeRequest };

/** Turns MFA on. */
export const verifyMfa: Handler<typeof verifyMfaShapes, typeof MfaRecoveryCodes> = async ({ body }, context) => {
  const { codes } = await context.services.clients.identity.verifyMfa(
    { code: body.code },
    context.caller,
    context.changing(),
  );
  return { body: { recoveryCodes: codes } };
};
