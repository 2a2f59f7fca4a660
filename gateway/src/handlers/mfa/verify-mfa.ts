import type { Handler } from '../../routes/route.ts';
import { MfaCodeRequest, type MfaRecoveryCodes } from '../../schemas/mfa.ts';

export const verifyMfaShapes = { body: MfaCodeRequest };

/** Turns MFA on. */
export const verifyMfa: Handler<typeof verifyMfaShapes, typeof MfaRecoveryCodes> = async (
  { body },
  { services, caller },
) => {
  const { codes } = await services.clients.identity.verifyMfa({ code: body.code }, caller);
  return { body: { recoveryCodes: codes } };
};
