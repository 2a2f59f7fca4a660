import type { UnaryHandler } from '#platform/grpc/server.ts';
import type { GetUserRequest, User } from '#proto/identity/v1/identity.ts';
import { getUser } from '../../domain/get-user.ts';
import type { IdentityContext } from '../../domain/ports.ts';
import { toUserMessage } from './messages.ts';

export function getUserRpc(context: IdentityContext): UnaryHandler<GetUserRequest, User> {
  return async (_request, { caller }) => toUserMessage(await getUser(context, caller));
}
