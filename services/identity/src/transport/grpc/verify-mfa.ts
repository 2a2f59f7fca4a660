import type { UnaryHandler } from '#platform/grpc/server.ts';
import type { MfaRecoveryCodes, VerifyMfaRequest } from '#proto/identity/v1/identity.ts';
import type { IdentityContext } from '../../domain/ports.ts';
import { verifyMfa } from '../../domain/verify-mfa.ts';

export function verifyMfaRpc(context: IdentityContext): UnaryHandler<VerifyMfaRequest, MfaRecoveryCodes> {
  return async ({ code }, { caller }) => ({ codes: await verifyMfa(context, caller, code) });
}
