import type { Caller } from '#platform/caller.ts';
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
  await context.transaction(async () => {
    const appKey = await context.appKeys.get(caller.merchantId, id);
    if (appKey === undefined || !(await context.appKeys.delete(caller.merchantId, id))) throw refusal.appKeyNotFound();
    await context.audit.record(caller, auditedAppKey('app_key_revoked', appKey));
  });
  await context.revocations.publish(id);
}
