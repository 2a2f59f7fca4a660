import type { Caller } from '#platform/grpc/caller.ts';
import { isId } from '#platform/ids.ts';
import { auditedKey } from './audited-key.ts';
import { refusal } from './errors.ts';
import { requireKeyManager } from './key-manager.ts';
import { type KeyWithLastUse, withLastUse } from './last-use.ts';
import type { IdentityContext } from './ports.ts';

/**
 * Lets a frozen hashed key work again. One that is not frozen stays as it is.
 * @throws AppError `forbidden`, `not_found`.
 */
export async function unfreezeKey(
  context: Pick<IdentityContext, 'apiKeys' | 'usage' | 'revocations' | 'audit' | 'transaction'>,
  caller: Caller,
  id: string,
): Promise<KeyWithLastUse> {
  requireKeyManager(caller);
  if (!isId(id)) throw refusal.keyNotFound();
  const key = await context.transaction(async () => {
    const unfrozen = await context.apiKeys.unfreeze(caller.merchantId, id);
    if (unfrozen !== undefined) await context.audit.record(caller, auditedKey('key_unfrozen', unfrozen));
    return unfrozen ?? (await context.apiKeys.get(caller.merchantId, id))?.key;
  });
  if (key === undefined) throw refusal.keyNotFound();
  // Also when it was unfrozen before: that word may have been lost.
  await context.revocations.publish(id);
  const [answer = { key }] = await withLastUse(context, caller.merchantId, [key]);
  return answer;
}
