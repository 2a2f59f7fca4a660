import type { UnaryHandler } from '#platform/grpc/server.ts';
import type { ListAppKeysRequest, ListAppKeysResponse } from '#proto/identity/v1/identity.ts';
import { appKeysMax } from '../../domain/app-key.ts';
import { listAppKeys } from '../../domain/list-app-keys.ts';
import type { IdentityContext } from '../../domain/ports.ts';
import { toAppKeyMessage } from './messages.ts';
import { windowOf } from './window.ts';

export function listAppKeysRpc(context: IdentityContext): UnaryHandler<ListAppKeysRequest, ListAppKeysResponse> {
  return async ({ page }, { caller }) => {
    const window = windowOf(page, appKeysMax);
    const { rows, total } = await listAppKeys(context, caller, window);
    return { appKeys: rows.map((appKey) => toAppKeyMessage(appKey)), total: BigInt(total) };
  };
}
