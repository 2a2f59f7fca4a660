import type { Caller } from '#platform/grpc/caller.ts';
import { isId } from '#platform/ids.ts';
import { auditedKey } from './audited-key.ts';
import { refusal } from './errors.ts';
import { requireKeyManager } from './key-manager.ts';
import type { IdentityContext } from './ports.ts';

/** Revokes a hashed key; from then on its secrets are refused. Its usage can still be read. @throws AppError `forbidden`, `not_found`. */
export async function deleteKey(
  context: Pick<IdentityContext, 'apiKeys' | 'revocations' | 'audit' | 'transaction' | 'now'>,
  caller: Caller,
  id: string,
): Promise<void> {
  requireKeyManager(caller);
  if (!isId(id)) throw refusal.keyNotFound();
  const isDeleted = await context.transaction(async () => {
    const deleted = await context.apiKeys.delete(caller.merchantId, id, context.now());
    if (deleted === undefined) return false;
    await context.audit.record(caller, auditedKey('key_revoked', deleted));
    return true;
  });
  // Also when there is none (any more): the word of an earlier call may have been lost, and this costs others a question.
  await context.revocations.publish(id);
  if (!isDeleted) throw refusal.keyNotFound();
}
