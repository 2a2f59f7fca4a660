import type { UnaryHandler } from '#platform/grpc/server.ts';
import type { CreatePendingSignupRequest, PendingSignup } from '#proto/identity/v1/identity.ts';
import { createPendingSignup } from '../../domain/create-pending-signup.ts';
import type { IdentityContext } from '../../domain/ports.ts';

export function createPendingSignupRpc(
  context: IdentityContext,
): UnaryHandler<CreatePendingSignupRequest, PendingSignup> {
  return ({ email, passwordHash, name, company, country, consent, utm }, { caller }) =>
    createPendingSignup(context, caller, { email, passwordHash, name, company, country, consent, utm });
}
