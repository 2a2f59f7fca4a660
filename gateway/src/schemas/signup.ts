import { isIP } from 'node:net';
import { z } from 'zod';
import { Fault } from '../validation/fault.ts';
import { recordId } from './common.ts';
import { body, dateTime, email, id, optional, text } from './primitives.ts';

const ipAddress = () =>
  text({ max: 45, example: '203.0.113.7', description: 'Kept as its /24 (IPv4) or /48 (IPv6).' })
    .refine((value) => isIP(value) !== 0 && !value.includes('%'), {
      params: { fault: new Fault('ip_any_address', 'value is not a valid IPv4 or IPv6 address') },
    })
    .meta({ anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }] });

const ticked = () => optional(dateTime()).meta({ examples: ['2026-01-31T12:00:00Z'] });

const utmText = () => optional(text({ max: 200, example: 'newsletter' }));

// What is absent of the consent is a 400 `consent_missing`, as an empty box is; the shape is checked all the same.
export const PendingSignupRequest = body({
  email: email(),
  passwordHash: text({
    ...{ min: 10, max: 200, example: 'pO4L8nq0vJ1mJ3cYt0yS5o6bq4o2o8Yw2m1v0b3n4c8=' },
    description: 'PBKDF2-SHA-256 of the password, salt the lowercase e-mail, 600,000 rounds, base64.',
  }),
  name: text({ min: 1, max: 200, example: 'Ada Lovelace' }),
  company: text({ min: 1, max: 200, example: 'Corner Coffee' }),
  country: text({ min: 2, max: 2, example: 'GB', description: 'ISO 3166-1 alpha-2.' }),
  consent: optional(body({ tosAt: ticked(), dpaAt: ticked(), privacyAt: ticked(), ip: optional(ipAddress()) })),
  utm: optional(body({ source: utmText(), medium: utmText(), campaign: utmText() })),
}).meta({ id: 'PendingSignupRequest' });

export const PendingSignup = z.strictObject({ pendingId: recordId() }).meta({ id: 'PendingSignup' });

const code = () => text({ min: 1, max: 200, example: 'JtH3nV0cX9mQ2sW7yB5kL1pR8dF4gZ6a' });

export const VerifySignupRequest = body({ pendingId: id(), code: code() }).meta({ id: 'VerifySignupRequest' });

/** Of a link that somebody may have mangled: whatever is wrong with it is told on the page. */
export const SignupLink = z.object({
  pendingId: text({ max: 200, example: '66f0c2a1b4d3e5f6a7b8c9d0' }),
  code: code(),
});
