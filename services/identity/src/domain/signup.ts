/** When the boxes were ticked, and from which network. */
export interface SignupConsent {
  readonly tosAt: Date;
  readonly dpaAt: Date;
  readonly privacyAt: Date;
  /** A /24 or /48: enough to tell a country by, too little to tell a person by. */
  readonly network?: string;
}

/** Where the visitor came from, as the web page was told. */
export interface SignupUtm {
  readonly source?: string;
  readonly medium?: string;
  readonly campaign?: string;
}

/** What one request asked for. Its code, mailed to the address, makes exactly this the account. */
export interface SignupSubmission {
  readonly codeHash: string;
  readonly expiresAt: Date;
  readonly storedPassword: string;
  readonly name: string;
  readonly company: string;
  readonly country: string;
  readonly consent: SignupConsent;
  readonly utm?: SignupUtm;
}

/** A mail that went out, and from where it was asked for. */
export interface SignupMailing {
  readonly at: Date;
  /** A /24 or /48; empty: not known. */
  readonly network: string;
}

/**
 * The sign-up of an e-mail. There is one for an e-mail that has a user already too, to which nothing is ever submitted:
 * from outside the two cannot be told apart.
 */
export interface Signup {
  /** Becomes the id of the user and of its merchant. */
  readonly id: string;
  readonly email: string;
  /** Of the last request; absent before the first. */
  readonly submittedAt?: Date;
  /** The mails of the last day, oldest first. */
  readonly mails: readonly SignupMailing[];
  /** Those whose mail went out and whose code still works. */
  readonly submissions: readonly SignupSubmission[];
  /** The code that made the account goes on to say so for as long as it lives: a link is easily followed twice. */
  readonly completed?: { readonly codeHash: string; readonly expiresAt: Date };
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** How long a code works, and a sign-up is live after its last request; it is abandoned then, and can be resumed. */
export const signupLiveMs = dayMs;
/** How long an abandoned sign-up is kept. */
export const signupKeptMs = 30 * dayMs;
/**
 * Mails to one address: nobody's mailbox is flooded by strangers. Counted by network, and with places kept for networks
 * that had none yet, so that no stranger uses up what the owner needs. These bound the submissions of a sign-up too.
 */
const mailsPerNetworkHourMax = 3;
const mailsPerNetworkDayMax = 5;
const mailsPerDayMax = 15;
const mailsPerDayWithFirstsMax = 30;

/**
 * Takes a request, or refuses it silently: one too many for the address gets no mail, so there is nothing to keep of it.
 * Submissions do not replace one another: a stranger who repeats somebody's sign-up with a password of his own neither
 * voids the first link nor puts his password behind it.
 * @param submission - undefined for an e-mail that has a user already
 * @param network - of who asks, as the edge saw it
 */
export function submit(
  signup: Signup,
  submission: SignupSubmission | undefined,
  network: string,
  now: Date,
): { signup: Signup; mails: boolean } {
  const within = (ms: number) => signup.mails.filter(({ at }) => at.getTime() > now.getTime() - ms);
  const lastDay = within(dayMs);
  const mails = mayMail(lastDay, within(hourMs), network);
  const live = signup.submissions.filter(({ expiresAt }) => expiresAt > now);
  return {
    signup: {
      ...signup,
      submittedAt: now,
      mails: mails ? [...lastDay, { at: now, network }] : lastDay,
      submissions: mails && submission !== undefined ? [...live, submission] : live,
    },
    mails,
  };
}

function mayMail(lastDay: readonly SignupMailing[], lastHour: readonly SignupMailing[], network: string): boolean {
  const own = (mails: readonly SignupMailing[]) => mails.filter((mail) => mail.network === network).length;
  const ownInDay = own(lastDay);
  if (lastDay.length >= (ownInDay === 0 ? mailsPerDayWithFirstsMax : mailsPerDayMax)) return false;
  return ownInDay < mailsPerNetworkDayMax && own(lastHour) < mailsPerNetworkHourMax;
}

/** The submission that a code belongs to; undefined when it is wrong or too old, or the account is made already. */
export function submissionOf(signup: Signup, codeHash: string, now: Date): SignupSubmission | undefined {
  return signup.submissions.find((one) => one.codeHash === codeHash && one.expiresAt > now);
}

/** Whether this code made the account, not long ago. */
export function madeAccount({ completed }: Signup, codeHash: string, now: Date): boolean {
  return completed !== undefined && completed.codeHash === codeHash && completed.expiresAt > now;
}

/**
 * What is left once the account is made: every other code is void, and every password but the account's is gone. It no
 * longer stands in for its e-mail, whose next sign-up is that of an e-mail that has a user already.
 */
export function complete(signup: Signup, { codeHash, expiresAt }: SignupSubmission): Signup {
  return { ...signup, submissions: [], completed: { codeHash, expiresAt } };
}
