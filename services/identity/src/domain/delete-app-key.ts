import type { Caller } from '#platform/caller.ts';
import { isId } from '#platform/ids.ts';
import { refusal } from './errors.ts';
import { requireKeyManager } from './key-manager.ts';
import type { IdentityContext } from './ports.ts';

/** Deletes an app key; from then on its token is refused. @throws AppError `forbidden`, `not_found`. */
export async function deleteAppKey(
  context: Pick<IdentityContext, 'appKeys' | 'revocations'>,
  caller: Caller,
  id: string,
): Promise<void> {
  requireKeyManager(caller);
  const deleted = isId(id) && (await context.appKeys.delete(caller.merchantId, id));
  if (!deleted) throw refusal.appKeyNotFound();
  await context.revocations.publish(id);
}
