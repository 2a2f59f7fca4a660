import type { Caller } from '#platform/caller.ts';
import type { ApiKey } from './api-key.ts';
import { requireKeyManager } from './key-manager.ts';
import type { IdentityContext } from './ports.ts';

/** The merchant's hashed keys, newest first, expired ones too. @throws AppError `forbidden`. */
export async function listKeys(context: Pick<IdentityContext, 'apiKeys'>, caller: Caller): Promise<ApiKey[]> {
  requireKeyManager(caller);
  return context.apiKeys.list(caller.merchantId);
}
