import type { Caller } from '#platform/grpc/caller.ts';
import { isId } from '#platform/ids.ts';
import { aboutUser } from './audit-entry.ts';
import { refusal } from './errors.ts';
import { networkOf } from './network.ts';
import type { IdentityContext } from './ports.ts';
import { complete, madeAccount, type Signup, type SignupSubmission, submissionOf } from './signup.ts';
import type { User } from './user.ts';

type Context = Pick<IdentityContext, 'users' | 'signups' | 'secrets' | 'audit' | 'transaction' | 'now'>;

const codeCharactersMax = 200;

/**
 * Makes the user of a sign-up, active, and its merchant, of what was submitted with this code. The code that did it gives
 * the same answer again while it lives.
 * @throws AppError `invalid_code` for one that is wrong, too old or of no sign-up, all alike.
 */
export async function verifySignup(
  context: Context,
  caller: Caller,
  { pendingId, code }: { pendingId: string; code: string },
): Promise<User> {
  if (!isId(pendingId) || code.length > codeCharactersMax) throw refusal.invalidCode();
  const codeHash = context.secrets.hashSignupCode(pendingId, code);
  const now = context.now();
  return context.transaction(async () => {
    const signup = await context.signups.get(pendingId);
    if (signup === undefined) throw refusal.invalidCode();
    if (madeAccount(signup, codeHash, now)) return made(context, signup);
    const submission = submissionOf(signup, codeHash, now);
    if (submission === undefined) throw refusal.invalidCode();
    return make(context, caller, { signup, submission, now });
  });
}

async function made(context: Context, { id }: Signup): Promise<User> {
  const user = await context.users.get(id);
  if (!user?.active) throw refusal.invalidCode();
  return user;
}

async function make(
  context: Context,
  caller: Caller,
  { signup, submission, now }: { signup: Signup; submission: SignupSubmission; now: Date },
): Promise<User> {
  // First: of verifications at once, all but one fail on this record and find the account made when they are run again.
  await context.signups.save(complete(signup, submission));
  const { id, email } = signup;
  const { storedPassword, name, company, country, consent, utm } = submission;
  const state = { emailVerified: now, active: true, admin: false, createdAt: now };
  const user: User = { id, merchantId: id, email, name, company, country, consent, utm, ...state };
  // The e-mail got a user in another way meanwhile.
  if (!(await context.users.insert(user, storedPassword))) throw refusal.invalidCode();
  await context.audit.record(
    { ...caller, ip: networkOf(caller.ip) ?? '' },
    {
      ...{ action: 'signup_verified', merchantId: id, actor: { type: 'user', id } },
      ...aboutUser(user),
    },
  );
  return user;
}
