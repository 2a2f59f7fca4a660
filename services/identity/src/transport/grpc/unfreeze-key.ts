import type { UnaryHandler } from '#platform/grpc/server.ts';
import type { ApiKey, UnfreezeKeyRequest } from '#proto/identity/v1/identity.ts';
import type { IdentityContext } from '../../domain/ports.ts';
import { unfreezeKey } from '../../domain/unfreeze-key.ts';
import { toApiKeyMessage } from './messages.ts';

export function unfreezeKeyRpc(context: IdentityContext): UnaryHandler<UnfreezeKeyRequest, ApiKey> {
  return async ({ id }, { caller }) => {
    const { key, lastUsedAt } = await unfreezeKey(context, caller, id);
    return toApiKeyMessage(key, { lastUsedAt });
  };
}
