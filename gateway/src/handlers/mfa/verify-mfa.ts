import type { Handler } from '../../routes/route.ts';
import { MfaCodeRequest, type MfaRecoveryCodes } from '../../schemas/mfa.ts';
import { forgetting } from '../forgetting.ts';

export const verifyMfaShapes = { body: MfaCodeRequest };

/** Turns MFA on, and ends the user's other sessions. */
export const verifyMfa: Handler<typeof verifyMfaShapes, typeof MfaRecoveryCodes> = async ({ body }, context) => {
  const { identity } = context.services.clients;
  // The user's other sessions are over.
  const { codes } = await forgetting(context, context.caller.userId, () =>
    identity.verifyMfa({ code: body.code }, context.caller, context.changing()),
  );
  return { body: { recoveryCodes: codes } };
};
