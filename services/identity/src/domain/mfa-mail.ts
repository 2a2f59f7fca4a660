import type { Caller } from '#platform/grpc/caller.ts';
import type { Mail } from '#platform/mail/mail.ts';
import { mailParts, shownTime } from './mail-parts.ts';
import { networkOf } from './network.ts';
import type { User } from './user.ts';

const told = {
  on: {
    subject: 'The second factor of your Tallycard account is on',
    what: 'The second factor (MFA) of your account was turned on. Log-ins need a code from now on, and other sessions were ended.',
  },
  off: {
    subject: 'The second factor of your Tallycard account is off',
    what: 'The second factor (MFA) of your account was turned off. Log-ins need the password alone from now on.',
  },
  reset: {
    subject: 'The second factor of your Tallycard account was reset',
    what: 'An administrator has taken the second factor (MFA) of your account away and ended your sessions. Log in and set it up anew.',
  },
} as const;

/**
 * Tells a user of a change of its second factor, which a thief of the account would make too.
 * @param by - who did it; undefined for an administrator, whose address is not the user's to know
 */
export function mfaMail(change: keyof typeof told, { email }: User, by: Caller | undefined, at: Date): Mail {
  const { subject, what } = told[change];
  const network = by && networkOf(by.ip);
  const from = network === undefined ? '' : ` from ${network}`;
  return {
    to: email,
    subject,
    ...mailParts([
      what,
      [`Done: ${shownTime(at)}${from}`],
      'If that was neither you nor done for you, tell who runs this service at once: somebody else may have your account.',
    ]),
  };
}
