import { toDataURL } from 'qrcode';
import type { Handler } from '../../routes/route.ts';
import type { MfaEnrolment } from '../../schemas/mfa.ts';

/** Begins to set up MFA; it is on once a code was verified. */
export const enableMfa: Handler<object, typeof MfaEnrolment> = async (_input, context) => {
  const { secret, otpauthUrl } = await context.services.clients.identity.enableMfa(
    {},
    context.caller,
    context.changing(),
  );
  return { body: { secret, otpauthUrl, qrCode: await toDataURL(otpauthUrl) } };
};
