import type { UnaryHandler } from '#platform/grpc/server.ts';
import type { FindUserRequest, User } from '#proto/identity/v1/identity.ts';
import { findUser } from '../../domain/find-user.ts';
import type { IdentityContext } from '../../domain/ports.ts';
import { toUserMessage } from './messages.ts';

export function findUserRpc(context: IdentityContext): UnaryHandler<FindUserRequest, User> {
  return async ({ email }, { caller }) => toUserMessage(await findUser(context, caller, email));
}
