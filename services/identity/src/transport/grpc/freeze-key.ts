import type { UnaryHandler } from '#platform/grpc/server.ts';
import type { ApiKey, FreezeKeyRequest } from '#proto/identity/v1/identity.ts';
import { freezeKey } from '../../domain/freeze-key.ts';
import type { IdentityContext } from '../../domain/ports.ts';
import { toApiKeyMessage } from './messages.ts';

export function freezeKeyRpc(context: IdentityContext): UnaryHandler<FreezeKeyRequest, ApiKey> {
  return async ({ id }, { caller }) => {
    const { key, lastUsedAt } = await freezeKey(context, caller, id);
    return toApiKeyMessage(key, { lastUsedAt });
  };
}
