import type { UnaryHandler } from '#platform/grpc/server.ts';
import type { DisableMfaRequest, DisableMfaResponse } from '#proto/identity/v1/identity.ts';
import { disableMfa } from '../../domain/disable-mfa.ts';
import type { IdentityContext } from '../../domain/ports.ts';

export function disableMfaRpc(context: IdentityContext): UnaryHandler<DisableMfaRequest, DisableMfaResponse> {
  return async ({ code }, { caller }) => {
    await disableMfa(context, caller, code);
    return {};
  };
}
