import type { UnaryHandler } from '#platform/grpc/server.ts';
import type { SetUserActiveRequest, User } from '#proto/identity/v1/identity.ts';
import type { IdentityContext } from '../../domain/ports.ts';
import { setUserActive } from '../../domain/set-user-active.ts';
import { toUserMessage } from './messages.ts';

export function setUserActiveRpc(context: IdentityContext): UnaryHandler<SetUserActiveRequest, User> {
  return async ({ userId, active }, { caller }) =>
    toUserMessage(await setUserActive(context, caller, { userId, active }));
}
