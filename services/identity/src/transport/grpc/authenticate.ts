import type { UnaryHandler } from '#platform/grpc-server.ts';
import type { AuthenticateRequest, Principal } from '#proto/identity/v1/identity.ts';
import { authenticate } from '../../domain/authenticate.ts';
import type { IdentityContext } from '../../domain/ports.ts';

export function authenticateRpc(context: IdentityContext): UnaryHandler<AuthenticateRequest, Principal> {
  return async ({ credential }) => {
    const { scopes, expiresAt, admin = false, ...principal } = await authenticate(context, credential);
    const usual = { frozen: false, sandbox: false, metering: undefined };
    return { ...usual, ...principal, admin, scopes: [...scopes], expiresAt };
  };
}
