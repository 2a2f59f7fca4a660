import type { SignupConsent, SignupUtm } from './signup.ts';

/** Someone who logs in. The first user of a merchant owns it, and gives the merchant its id. */
export interface User {
  readonly id: string;
  readonly merchantId: string;
  /** Lowercase, unique among all merchants. */
  readonly email: string;
  readonly name?: string;
  readonly company?: string;
  readonly emailVerified?: Date;
  /** An inactive user's credentials are all refused. */
  readonly active: boolean;
  readonly admin: boolean;
  readonly image?: string;
  readonly location?: string;
  readonly website?: string;
  /** ISO 3166-1 alpha-2. This and the next two are of those who signed up themselves. */
  readonly country?: string;
  readonly consent?: SignupConsent;
  readonly utm?: SignupUtm;
  readonly createdAt: Date;
}

/** RFC 5321: 256 octets of a path, less its angle brackets. */
export const emailCharactersMax = 254;

/** The form in which e-mail addresses are stored, looked up and used as salt. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase();
}

/** Whether it looks like an address; only a mail that arrives proves one. */
export function isEmail(email: string): boolean {
  return email.length <= emailCharactersMax && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email);
}
