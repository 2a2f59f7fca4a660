import type { UnaryHandler } from '#platform/grpc/server.ts';
import type { LogOutRequest, LogOutResponse } from '#proto/identity/v1/identity.ts';
import { logOut } from '../../domain/log-out.ts';
import type { IdentityContext } from '../../domain/ports.ts';

export function logOutRpc(context: IdentityContext): UnaryHandler<LogOutRequest, LogOutResponse> {
  return async ({ token }, { caller }) => ({ sessionId: await logOut(context, caller, token) });
}
