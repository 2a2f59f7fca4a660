import type { UnaryHandler } from '#platform/grpc/server.ts';
import type { ListKeysRequest, ListKeysResponse } from '#proto/identity/v1/identity.ts';
import { apiKeysMax } from '../../domain/api-key.ts';
import { listKeys } from '../../domain/list-keys.ts';
import type { IdentityContext } from '../../domain/ports.ts';
import { toApiKeyMessage } from './messages.ts';
import { windowOf } from './window.ts';

export function listKeysRpc(context: IdentityContext): UnaryHandler<ListKeysRequest, ListKeysResponse> {
  return async ({ page }, { caller }) => {
    const window = windowOf(page, apiKeysMax);
    const { rows, total } = await listKeys(context, caller, window);
    return { keys: rows.map(({ key, lastUsedAt }) => toApiKeyMessage(key, { lastUsedAt })), total: BigInt(total) };
  };
}
