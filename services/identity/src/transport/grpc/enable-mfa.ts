import type { UnaryHandler } from '#platform/grpc/server.ts';
import type { EnableMfaRequest, MfaEnrolment } from '#proto/identity/v1/identity.ts';
import { enableMfa } from '../../domain/enable-mfa.ts';
import type { IdentityContext } from '../../domain/ports.ts';

export function enableMfaRpc(context: IdentityContext): UnaryHandler<EnableMfaRequest, MfaEnrolment> {
  return (_request, { caller }) => enableMfa(context, caller);
}
