import type { Caller } from '#platform/grpc/caller.ts';
import type { IdentityContext } from './ports.ts';
import { requireAdmin } from './require-admin.ts';

/** Plans are set by operators and by administrators who are logged in. @throws AppError `forbidden` otherwise. */
export async function requirePlanManager(context: Pick<IdentityContext, 'users'>, caller: Caller): Promise<void> {
  if (caller.kind !== 'operator') await requireAdmin(context, caller);
}
