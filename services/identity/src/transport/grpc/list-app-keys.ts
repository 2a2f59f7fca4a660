import type { UnaryHandler } from '#platform/grpc-server.ts';
import type { ListAppKeysRequest, ListAppKeysResponse } from '#proto/identity/v1/identity.ts';
import { listAppKeys } from '../../domain/list-app-keys.ts';
import type { IdentityContext } from '../../domain/ports.ts';
import { toAppKeyMessage } from './messages.ts';

export function listAppKeysRpc(context: IdentityContext): UnaryHandler<ListAppKeysRequest, ListAppKeysResponse> {
  return async (_request, { caller }) => {
    const appKeys = await listAppKeys(context, caller);
    return { appKeys: appKeys.map((appKey) => toAppKeyMessage(appKey)) };
  };
}
