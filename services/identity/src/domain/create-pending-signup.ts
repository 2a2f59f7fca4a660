import type { Caller } from '#platform/grpc/caller.ts';
import { newId } from '#platform/ids.ts';
import { BodyCheck } from '#platform/validation.ts';
import { toCountry } from './country.ts';
import { isDisposable } from './email-domain.ts';
import { refusal } from './errors.ts';
import { networkOf } from './network.ts';
import type { IdentityContext } from './ports.ts';
import {
  type Signup,
  type SignupConsent,
  type SignupSubmission,
  type SignupUtm,
  signupLiveMs,
  submit,
} from './signup.ts';
import { accountExistsMail, confirmationMail } from './signup-mail.ts';
import { isEmail, normalizeEmail, type User } from './user.ts';

/** What a visitor sends. */
export interface SignupCommand {
  readonly email: string;
  /** As the client derived it. */
  readonly passwordHash: string;
  readonly name: string;
  readonly company: string;
  readonly country: string;
  readonly consent?: { readonly tosAt?: Date; readonly dpaAt?: Date; readonly privacyAt?: Date; readonly ip?: string };
  readonly utm?: SignupUtm;
}

type Context = Pick<
  IdentityContext,
  'users' | 'signups' | 'passwords' | 'secrets' | 'mails' | 'publicUrl' | 'audit' | 'transaction' | 'now'
>;

const characters = {
  passwordHash: { min: 10, max: 200 },
  name: { min: 1, max: 200 },
  utm: { min: 0, max: 200 },
};
/** How far the clock of a visitor may be ahead of ours. */
const clockSkewMs = 5 * 60_000;

/**
 * Makes or resumes the sign-up of an e-mail and mails a link, or, where the e-mail has a user already, a word of that.
 * Answer and work are the same either way, so that neither tells who has an account.
 * @returns the id that the user will have, and whether there was a sign-up before.
 * @throws AppError 422, `consent_missing`, `invalid_country`, `disposable_email`.
 */
export async function createPendingSignup(
  context: Context,
  caller: Caller,
  command: SignupCommand,
): Promise<{ pendingId: string; resumed: boolean }> {
  const email = normalizeEmail(command.email);
  const now = context.now();
  checkShapes(email, command);
  // What the visitor says of his address is kept with the consent; what is told and counted is what the edge saw.
  const network = networkOf(caller.ip) ?? '';
  const { consent, country } = checkRules(email, command, now, networkOf(command.consent?.ip ?? caller.ip));
  const storedPassword = await context.passwords.hash(command.passwordHash);
  const id = await context.signups.ensure(email, newId(now.getTime()), now);
  const { code, hash: codeHash } = context.secrets.newSignupCode(id);
  const { name, company, utm } = command;
  const expiresAt = new Date(now.getTime() + signupLiveMs);
  const submission = { codeHash, expiresAt, storedPassword, name, company, country, consent, utm };
  // Neither stored nor logged whole, the audit log included.
  const origin = { ...caller, ip: network };
  return context.transaction(() => take(context, origin, { id, submission, code, now }));
}

interface Taken {
  readonly id: string;
  readonly submission: SignupSubmission;
  readonly code: string;
  readonly now: Date;
}

async function take(context: Context, origin: Caller, { id, submission, code, now }: Taken) {
  const before = await context.signups.get(id);
  // It was purged, or made its account, just now.
  if (before === undefined || before.completed !== undefined) throw refusal.signupGone();
  const user = (await context.users.findByEmail(before.email))?.user;
  const { signup, mails } = submit(before, user === undefined ? submission : undefined, origin.ip, now);
  await context.signups.save(signup);
  if (mails) await tell(context, origin, { signup, submission, code, user, now });
  return { pendingId: id, resumed: before.submittedAt !== undefined };
}

async function tell(
  context: Context,
  origin: Caller,
  { signup, submission, code, user, now }: Omit<Taken, 'id'> & { signup: Signup; user: User | undefined },
): Promise<void> {
  const { name, company } = submission;
  const facts = { to: signup.email, name, company, network: origin.ip, at: now };
  const link = `${context.publicUrl}/signup/verify?pendingId=${signup.id}&code=${code}`;
  const confirmation = confirmationMail(facts, link);
  await context.mails.add(user === undefined ? confirmation : accountExistsMail(facts));
  const subjectId = user?.id ?? signup.id;
  await context.audit.record(origin, {
    ...{ action: 'signup_created', merchantId: user?.merchantId ?? signup.id },
    ...{ resourceType: 'user', resourceId: subjectId, subjectId },
  });
}

function checkShapes(email: string, { passwordHash, name, company, country, consent, utm }: SignupCommand): void {
  const { min, max } = characters.passwordHash;
  const length = [...passwordHash].length;
  new BodyCheck()
    .rule('email', isEmail(email), 'value is not a valid email address')
    .rule('passwordHash', length >= min && length <= max, `passwordHash must have ${min} to ${max} characters`)
    .text('name', name, characters.name)
    .text('company', company, characters.name)
    .text('country', country, { min: 2, max: 2 })
    .rule('consent.ip', consent?.ip === undefined || networkOf(consent.ip) !== undefined, 'value is not an IP address')
    .text('utm.source', utm?.source, characters.utm)
    .text('utm.medium', utm?.medium, characters.utm)
    .text('utm.campaign', utm?.campaign, characters.utm)
    .done();
}

/** A box that will be ticked in the future has not been ticked. */
function checkRules(email: string, command: SignupCommand, now: Date, network: string | undefined) {
  const { tosAt, dpaAt, privacyAt } = command.consent ?? {};
  if (tosAt === undefined || dpaAt === undefined || privacyAt === undefined) throw refusal.consentMissing();
  const latest = now.getTime() + clockSkewMs;
  if ([tosAt, dpaAt, privacyAt].some((at) => at.getTime() > latest)) throw refusal.consentMissing();
  const country = toCountry(command.country);
  if (country === undefined) throw refusal.invalidCountry();
  if (isDisposable(email)) throw refusal.disposableEmail();
  const consent: SignupConsent = { tosAt, dpaAt, privacyAt, network };
  return { consent, country };
}
