import type { Mail } from '#platform/mail/mail.ts';
import { mailParts, shownTime } from './mail-parts.ts';

interface SignupMail {
  readonly to: string;
  /** As submitted, and shown so that a stranger's request is seen for one. */
  readonly name: string;
  readonly company: string;
  /** A /24 or /48; empty: not known. */
  readonly network: string;
  readonly at: Date;
}

/** Asks whoever reads the address to confirm a sign-up. The link is good for this submission alone. */
export function confirmationMail({ to, name, company, network, at }: SignupMail, link: string): Mail {
  const facts = [
    `Name: ${shown(name)}`,
    `Company: ${shown(company)}`,
    `Requested: ${shownTime(at)}${network === '' ? '' : ` from ${network}`}`,
  ];
  return {
    to,
    subject: 'Confirm your Tallycard account',
    ...mailParts([
      'Somebody, hopefully you, signed up for Tallycard with this address:',
      facts,
      'If that was you, confirm it within 24 hours:',
      { link },
      'If it was not you, or you do not know these details, do not follow the link: nothing happens then.',
    ]),
  };
}

/** Tells the owner of an account that somebody tried to sign up with the address. */
export function accountExistsMail({ to, network, at }: SignupMail): Mail {
  const from = network === '' ? '' : ` from ${network}`;
  return {
    to,
    subject: 'You already have a Tallycard account',
    ...mailParts([
      'Somebody, hopefully you, signed up for Tallycard with this address, which has an account already.',
      [`Requested: ${shownTime(at)}${from}`],
      'Log in with the password that you have. Nothing was changed.',
      'If it was not you, there is nothing that you need to do.',
    ]),
  };
}

const shownMax = 80;

/** On one line, short, and nothing that a mail program makes a link of: a sign-up is no way to send strangers adverts. */
function shown(text: string): string {
  const line = text
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
  if (/[\p{L}\p{N}]\.[\p{L}\p{N}]|:\/|@/u.test(line)) return '(not shown)';
  return line.length > shownMax ? `${line.slice(0, shownMax)}…` : line;
}
