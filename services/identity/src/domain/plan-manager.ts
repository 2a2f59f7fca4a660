import type { Caller } from '#platform/caller.ts';
import { refusal } from './errors.ts';
import type { IdentityContext } from './ports.ts';

/** Plans are set by operators and by administrators who are logged in. @throws AppError `forbidden` otherwise. */
export async function requirePlanManager(context: Pick<IdentityContext, 'users'>, caller: Caller): Promise<void> {
  if (caller.kind === 'operator') return;
  const user = caller.kind === 'user' ? await context.users.get(caller.userId) : undefined;
  if (!user?.active || !user.admin) throw refusal.forbidden();
}
