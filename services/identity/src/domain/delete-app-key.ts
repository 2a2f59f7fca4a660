import type { Caller } from '#platform/grpc/caller.ts';
import { isId } from '#platform/ids.ts';
import { auditedAppKey } from './audited-key.ts';
import { refusal } from './errors.ts';
import { requireKeyManager } from './key-manager.ts';
import type { IdentityContext } from './ports.ts';

/** Deletes an app key; from then on its token is refused. @throws AppError `forbidden`, `not_found`. */
export async function deleteAppKey(
  context: Pick<IdentityContext, 'appKeys' | 'revocations' | 'audit' | 'transaction'>,
  caller: Caller,
  id: string,
): Promise<void> {
  requireKeyManager(caller);
  if (!isId(id)) throw refusal.appKeyNotFound();
  const isDeleted = await context.transaction(async () => {
    const appKey = await context.appKeys.get(caller.merchantId, id);
    if (appKey === undefined || !(await context.appKeys.delete(caller.merchantId, id))) return false;
    await context.audit.record(caller, auditedAppKey('app_key_revoked', appKey));
    return true;
  });
  // Also when there is none (any more): the word of an earlier call may have been lost, and this costs others a question.
  await context.revocations.publish(id);
  if (!isDeleted) throw refusal.appKeyNotFound();
}
