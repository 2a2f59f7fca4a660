import { createHmac, randomBytes } from 'node:crypto';
import { errors } from './errors.ts';

const prefix = 'whsec_';
const secretLength = { min: 8, max: 1024 } as const;

/** A new shared secret: `whsec_` and the base64 of 32 random bytes. */
export function generateSharedSecret(): string {
  return prefix + randomBytes(32).toString('base64');
}

/** @throws AppError `validation_error` at `["body", "sharedSecret"]` when no receiver could use the secret. */
export function checkSharedSecret(secret: string): void {
  if (secret.length < secretLength.min || secret.length > secretLength.max) {
    throw errors.settingRefused('sharedSecret', `${secretLength.min} to ${secretLength.max} characters`);
  }
  const encoded = secret.slice(prefix.length);
  if (secret.startsWith(prefix) && !/^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(encoded)) {
    throw errors.settingRefused('sharedSecret', `${prefix} must be followed by base64`);
  }
}

/** What is signed and sent. */
export interface SignedMessage {
  /** The event's id; the same in every try, so that receivers drop repeats by it. */
  readonly id: string;
  readonly timestampSeconds: number;
  /** The exact bytes of the body, as text. */
  readonly body: string;
}

/** The three headers of Standard Webhooks 1.0 (standardwebhooks.com): HMAC-SHA-256 over `id.timestamp.body`. */
export function signatureHeaders(message: SignedMessage, sharedSecret: string): Record<string, string> {
  const signed = createHmac('sha256', signingKey(sharedSecret))
    .update(`${message.id}.${message.timestampSeconds}.${message.body}`)
    .digest('base64');
  return {
    'webhook-id': message.id,
    'webhook-timestamp': String(message.timestampSeconds),
    'webhook-signature': `v1,${signed}`,
  };
}

function signingKey(sharedSecret: string): Buffer {
  return sharedSecret.startsWith(prefix)
    ? Buffer.from(sharedSecret.slice(prefix.length), 'base64')
    : Buffer.from(sharedSecret);
}
