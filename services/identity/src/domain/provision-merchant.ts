import { AppError } from '#platform/errors.ts';
import type { Caller } from '#platform/grpc/caller.ts';
import { newId } from '#platform/ids.ts';
import { BodyCheck } from '#platform/validation.ts';
import { aboutUser } from './audit-entry.ts';
import { refusal } from './errors.ts';
import { passwordCharacters } from './password.ts';
import type { IdentityContext } from './ports.ts';
import { type PlanChange, setMerchantPlan } from './set-merchant-plan.ts';
import { isEmail, normalizeEmail, type User } from './user.ts';

export interface ProvisionMerchantCommand {
  readonly email: string;
  readonly password: string;
  readonly name: string;
  readonly company: string;
  readonly admin: boolean;
  /** Absent: what it is already. */
  readonly plan?: PlanChange;
}

type Context = Pick<IdentityContext, 'users' | 'passwords' | 'now'> & Parameters<typeof setMerchantPlan>[0];

/** As at sign-up. */
const ownerNameCharacters = { min: 1, max: 200 };

/**
 * Makes an active user, who owns the merchant that has the user's id. The same e-mail and password again give the
 * same user, so that a start that was cut short can be repeated; it is made an administrator when it is to be one.
 * @throws AppError `forbidden` unless the caller is an operator, 422, `email_taken` when the password differs.
 */
export async function provisionMerchant(
  context: Context,
  caller: Caller,
  command: ProvisionMerchantCommand,
): Promise<User> {
  if (caller.kind !== 'operator') throw refusal.forbidden();
  const email = normalizeEmail(command.email);
  check(email, command);
  const user = await findOrMake(context, caller, email, command);
  if (command.plan !== undefined) await setMerchantPlan(context, caller, user.merchantId, command.plan);
  return user;
}

async function findOrMake(
  context: Context,
  caller: Caller,
  email: string,
  command: ProvisionMerchantCommand,
): Promise<User> {
  const passwordHash = await context.passwords.derive(command.password, email);
  const known = await context.users.findByEmail(email);
  if (known === undefined) {
    const user = newOwner(email, command, context.now());
    if (await insert(context, caller, user, await context.passwords.hash(passwordHash))) return user;
  }
  const holder = known ?? (await context.users.findByEmail(email));
  const matches = await context.passwords.verify(passwordHash, holder?.storedPassword);
  if (!matches || holder === undefined) throw refusal.emailTaken();
  if (!command.admin || holder.user.admin) return holder.user;
  const admin = { ...holder.user, admin: true };
  await context.transaction(async () => {
    await context.users.setAdmin(admin.merchantId, admin.id);
    await recordGrant(context, caller, admin);
  });
  await context.revocations.publish(admin.id);
  return admin;
}

/** @returns false when somebody else has just taken the e-mail. */
async function insert(context: Context, caller: Caller, user: User, storedPassword: string): Promise<boolean> {
  try {
    await context.transaction(async () => {
      if (!(await context.users.insert(user, storedPassword))) throw refusal.emailTaken();
      const { merchantId } = user;
      await context.audit.record(caller, { action: 'user_created', merchantId, ...aboutUser(user) });
      if (user.admin) await recordGrant(context, caller, user);
    });
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'email_taken') return false;
    throw error;
  }
}

const recordGrant = (context: Context, caller: Caller, user: User) =>
  context.audit.record(caller, { action: 'admin_granted', merchantId: user.merchantId, ...aboutUser(user) });

function newOwner(email: string, command: ProvisionMerchantCommand, now: Date): User {
  const id = newId(now.getTime());
  const { name, company, admin } = command;
  return { id, merchantId: id, email, name, company, emailVerified: now, active: true, admin, createdAt: now };
}

function check(email: string, { password, name, company }: ProvisionMerchantCommand): void {
  const { min, max } = passwordCharacters;
  new BodyCheck()
    .rule('email', isEmail(email), 'value is not a valid email address')
    .rule(
      'password',
      password.length >= min && password.length <= max,
      `password must have ${min} to ${max} characters`,
    )
    .text('name', name, ownerNameCharacters)
    .text('company', company, ownerNameCharacters)
    .done();
}
