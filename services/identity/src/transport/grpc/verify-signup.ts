import type { UnaryHandler } from '#platform/grpc/server.ts';
import type { User, VerifySignupRequest } from '#proto/identity/v1/identity.ts';
import type { IdentityContext } from '../../domain/ports.ts';
import { verifySignup } from '../../domain/verify-signup.ts';
import { toUserMessage } from './messages.ts';

export function verifySignupRpc(context: IdentityContext): UnaryHandler<VerifySignupRequest, User> {
  return async ({ pendingId, code }, { caller }) =>
    toUserMessage(await verifySignup(context, caller, { pendingId, code }));
}
