import type { Caller } from '#platform/grpc/caller.ts';
import { isId } from '#platform/ids.ts';
import { auditedKey } from './audited-key.ts';
import { refusal } from './errors.ts';
import { requireKeyManager } from './key-manager.ts';
import { type KeyWithLastUse, withLastUse } from './last-use.ts';
import type { IdentityContext } from './ports.ts';

/**
 * Freezes a hashed key: it is refused with `key_frozen` until it is unfrozen. Freezing a frozen key changes nothing.
 * @throws AppError `forbidden`, `not_found`.
 */
export async function freezeKey(
  context: Pick<IdentityContext, 'apiKeys' | 'usage' | 'revocations' | 'audit' | 'transaction' | 'now'>,
  caller: Caller,
  id: string,
): Promise<KeyWithLastUse> {
  requireKeyManager(caller);
  if (!isId(id)) throw refusal.keyNotFound();
  const key = await context.transaction(async () => {
    const frozen = await context.apiKeys.freeze(caller.merchantId, id, context.now());
    if (frozen !== undefined) await context.audit.record(caller, auditedKey('key_frozen', frozen));
    return frozen ?? (await context.apiKeys.get(caller.merchantId, id))?.key;
  });
  if (key === undefined) throw refusal.keyNotFound();
  // Also when it was frozen before: that word may have been lost.
  await context.revocations.publish(id);
  const [answer = { key }] = await withLastUse(context, caller.merchantId, [key]);
  return answer;
}
