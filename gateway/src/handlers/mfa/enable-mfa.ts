import { toDataURL } from 'qrcode';
import type { Handler } from '../../routes/route.ts';
import type { MfaEnrolment } from '../../schemas/mfa.ts';

/** Begins to set up MFA; it is on once a code was verified. */
export const enableMfa: Handler<object, typeof MfaEnrolment> = async (_input, { services, caller }) => {
  const { secret, otpauthUrl } = await services.clients.identity.enableMfa({}, caller);
  return { body: { secret, otpauthUrl, qrCode: await toDataURL(otpauthUrl) } };
};
