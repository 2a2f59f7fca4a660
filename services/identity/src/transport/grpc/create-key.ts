import type { UnaryHandler } from '#platform/grpc/server.ts';
import type { ApiKey, CreateKeyRequest } from '#proto/identity/v1/identity.ts';
import { createKey } from '../../domain/create-key.ts';
import type { IdentityContext } from '../../domain/ports.ts';
import { toApiKeyMessage } from './messages.ts';

export function createKeyRpc(context: IdentityContext): UnaryHandler<CreateKeyRequest, ApiKey> {
  return async ({ name, scopes, fullAccess, expiresAt, sandbox }, { caller }) => {
    const { key, secret } = await createKey(context, caller, { name, scopes, fullAccess, expiresAt, sandbox });
    return toApiKeyMessage(key, { secret });
  };
}
