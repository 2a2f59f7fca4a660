import type { Caller } from '#platform/grpc/caller.ts';
import type { AppKey } from './app-key.ts';
import { requireKeyManager } from './key-manager.ts';
import type { Listed, Window } from './paging.ts';
import type { IdentityContext } from './ports.ts';

/** The merchant's app keys, newest first. @throws AppError `forbidden`. */
export async function listAppKeys(
  context: Pick<IdentityContext, 'appKeys'>,
  caller: Caller,
  window: Window,
): Promise<Listed<AppKey>> {
  requireKeyManager(caller);
  return context.appKeys.list(caller.merchantId, window);
}
