import type { Caller } from '#platform/caller.ts';
import { isId } from '#platform/ids.ts';
import { refusal } from './errors.ts';
import { requireKeyManager } from './key-manager.ts';
import type { IdentityContext } from './ports.ts';

/** Revokes a hashed key; from then on its secret is refused. @throws AppError `forbidden`, `not_found`. */
export async function deleteKey(
  context: Pick<IdentityContext, 'apiKeys' | 'revocations'>,
  caller: Caller,
  id: string,
): Promise<void> {
  requireKeyManager(caller);
  const deleted = isId(id) && (await context.apiKeys.delete(caller.merchantId, id));
  if (!deleted) throw refusal.keyNotFound();
  await context.revocations.publish(id);
}
