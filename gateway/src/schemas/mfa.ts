import { z } from 'zod';
import { body, text } from './primitives.ts';

export const MfaEnrolment = z
  .strictObject({
    secret: z.string().meta({ description: 'Base32, to type where no QR code can be read.' }),
    otpauthUrl: z.string().meta({ examples: ['otpauth://totp/Tallycard:ada%40example.com?issuer=Tallycard'] }),
    qrCode: z.string().meta({ description: 'The URL as a QR code: a PNG as a data URI.' }),
  })
  .meta({ id: 'MfaEnrolment' });

export const MfaCodeRequest = body({
  code: text({ min: 1, max: 64, example: '123456', description: 'Of the authenticator, or a recovery code.' }),
}).meta({ id: 'MfaCodeRequest' });

export const MfaRecoveryCodes = z
  .strictObject({
    recoveryCodes: z.array(z.string()).meta({ description: 'Each works once, in place of a code. Shown this once.' }),
  })
  .meta({ id: 'MfaRecoveryCodes' });
