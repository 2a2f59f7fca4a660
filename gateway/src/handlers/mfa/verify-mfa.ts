import type { Handler } from '../../routes/route.ts';
import { MfaCodeRequest, type MfaRecoveryCodes } from '../../schemas/mfa.ts';

export const verifyMfaShapes = { body: MfaCodeRequest };

/** Turns MFA on, and ends the user's other sessions. */
export const verifyMfa: Handler<typeof verifyMfaShapes, typeof MfaRecoveryCodes> = async ({ body }, context) => {
  const { codes } = await context.services.clients.identity.verifyMfa(
    { code: body.code },
    context.caller,
    context.changing(),
  );
  // The user's other sessions are over; the other gateways hear of it over Redis.
  context.services.forgetCredential(context.caller.userId);
  return { body: { recoveryCodes: codes } };
};
