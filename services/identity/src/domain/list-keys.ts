import type { Caller } from '#platform/grpc/caller.ts';
import { requireKeyManager } from './key-manager.ts';
import { type KeyWithLastUse, withLastUse } from './last-use.ts';
import type { Listed, Window } from './paging.ts';
import type { IdentityContext } from './ports.ts';

/** The merchant's hashed keys, newest first, expired ones too. @throws AppError `forbidden`. */
export async function listKeys(
  context: Pick<IdentityContext, 'apiKeys' | 'usage'>,
  caller: Caller,
  window: Window,
): Promise<Listed<KeyWithLastUse>> {
  requireKeyManager(caller);
  const { rows, total } = await context.apiKeys.list(caller.merchantId, window);
  return { rows: await withLastUse(context, caller.merchantId, rows), total };
}
