import type { Caller } from '#platform/caller.ts';
import type { ApiKey } from './api-key.ts';
import { requireKeyManager } from './key-manager.ts';
import type { IdentityContext } from './ports.ts';

/** A key, and when it was last used, as far as that is stored: some seconds late. */
export interface ListedKey {
  readonly key: ApiKey;
  readonly lastUsedAt?: Date;
}

/** The merchant's hashed keys, newest first, expired ones too. @throws AppError `forbidden`. */
export async function listKeys(
  context: Pick<IdentityContext, 'apiKeys' | 'usage'>,
  caller: Caller,
): Promise<ListedKey[]> {
  requireKeyManager(caller);
  const keys = await context.apiKeys.list(caller.merchantId);
  const ids = keys.map(({ id }) => id);
  const lastUsed = await context.usage.lastUsed(caller.merchantId, ids);
  return keys.map((key) => ({ key, lastUsedAt: lastUsed.get(key.id) }));
}
