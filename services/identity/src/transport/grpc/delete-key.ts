import type { UnaryHandler } from '#platform/grpc/server.ts';
import type { DeleteKeyRequest, DeleteKeyResponse } from '#proto/identity/v1/identity.ts';
import { deleteKey } from '../../domain/delete-key.ts';
import type { IdentityContext } from '../../domain/ports.ts';

export function deleteKeyRpc(context: IdentityContext): UnaryHandler<DeleteKeyRequest, DeleteKeyResponse> {
  return async ({ id }, { caller }) => {
    await deleteKey(context, caller, id);
    return {};
  };
}
