import type { UnaryHandler } from '#platform/grpc/server.ts';
import type { DeleteAppKeyRequest, DeleteAppKeyResponse } from '#proto/identity/v1/identity.ts';
import { deleteAppKey } from '../../domain/delete-app-key.ts';
import type { IdentityContext } from '../../domain/ports.ts';

export function deleteAppKeyRpc(context: IdentityContext): UnaryHandler<DeleteAppKeyRequest, DeleteAppKeyResponse> {
  return async ({ id }, { caller }) => {
    await deleteAppKey(context, caller, id);
    return {};
  };
}
