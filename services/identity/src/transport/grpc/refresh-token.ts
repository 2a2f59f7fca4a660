import type { UnaryHandler } from '#platform/grpc/server.ts';
import type { RefreshTokenRequest, TokenPair } from '#proto/identity/v1/identity.ts';
import type { IdentityContext } from '../../domain/ports.ts';
import { refreshToken } from '../../domain/refresh-token.ts';

export function refreshTokenRpc(context: IdentityContext): UnaryHandler<RefreshTokenRequest, TokenPair> {
  return (request, { caller }) => refreshToken(context, caller, request.refreshToken);
}
