import type { UnaryHandler } from '#platform/grpc/server.ts';
import type { AppKey, CreateAppKeyRequest } from '#proto/identity/v1/identity.ts';
import { createAppKey } from '../../domain/create-app-key.ts';
import type { IdentityContext } from '../../domain/ports.ts';
import { toAppKeyMessage } from './messages.ts';

export function createAppKeyRpc(context: IdentityContext): UnaryHandler<CreateAppKeyRequest, AppKey> {
  return async ({ name }, { caller }) => {
    const { appKey, token } = await createAppKey(context, caller, { name });
    return toAppKeyMessage(appKey, token);
  };
}
