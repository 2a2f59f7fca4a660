import type { UnaryHandler } from '#platform/grpc/server.ts';
import type { ApiKey, RotateKeyRequest } from '#proto/identity/v1/identity.ts';
import type { IdentityContext } from '../../domain/ports.ts';
import { rotateKey } from '../../domain/rotate-key.ts';
import { toApiKeyMessage } from './messages.ts';

export function rotateKeyRpc(context: IdentityContext): UnaryHandler<RotateKeyRequest, ApiKey> {
  return async ({ id, graceHours }, { caller }) => {
    const { key, lastUsedAt, secret } = await rotateKey(context, caller, { id, graceHours });
    return toApiKeyMessage(key, { secret, lastUsedAt });
  };
}
