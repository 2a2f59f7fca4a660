import type { UnaryHandler } from '#platform/grpc/server.ts';
import type { GetSigningKeysRequest, SigningKeys } from '#proto/identity/v1/identity.ts';
import type { IdentityContext } from '../../domain/ports.ts';

export function getSigningKeysRpc(context: IdentityContext): UnaryHandler<GetSigningKeysRequest, SigningKeys> {
  return async () => ({ keys: context.tokens.publicKeys().map(({ kid, x }) => ({ kid, x })) });
}
