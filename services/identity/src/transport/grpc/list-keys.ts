import type { UnaryHandler } from '#platform/grpc-server.ts';
import type { ListKeysRequest, ListKeysResponse } from '#proto/identity/v1/identity.ts';
import { listKeys } from '../../domain/list-keys.ts';
import type { IdentityContext } from '../../domain/ports.ts';
import { toApiKeyMessage } from './messages.ts';

export function listKeysRpc(context: IdentityContext): UnaryHandler<ListKeysRequest, ListKeysResponse> {
  return async (_request, { caller }) => {
    const keys = await listKeys(context, caller);
    return { keys: keys.map(({ key, lastUsedAt }) => toApiKeyMessage(key, { lastUsedAt })) };
  };
}
