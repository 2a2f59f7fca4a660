import type { UnaryHandler } from '#platform/grpc/server.ts';
import type { ResetMfaRequest, User } from '#proto/identity/v1/identity.ts';
import type { IdentityContext } from '../../domain/ports.ts';
import { resetMfa } from '../../domain/reset-mfa.ts';
import { toUserMessage } from './messages.ts';

export function resetMfaRpc(context: IdentityContext): UnaryHandler<ResetMfaRequest, User> {
  return async ({ userId }, { caller }) => toUserMessage(await resetMfa(context, caller, userId));
}
