import type { Caller } from '#platform/caller.ts';
import { requireKeyManager } from './key-manager.ts';
import { type KeyWithLastUse, withLastUse } from './last-use.ts';
import type { IdentityContext } from './ports.ts';

/** The merchant's hashed keys, newest first, expired ones too. @throws AppError `forbidden`. */
export async function listKeys(
  context: Pick<IdentityContext, 'apiKeys' | 'usage'>,
  caller: Caller,
): Promise<KeyWithLastUse[]> {
  requireKeyManager(caller);
  return withLastUse(context, caller.merchantId, await context.apiKeys.list(caller.merchantId));
}
