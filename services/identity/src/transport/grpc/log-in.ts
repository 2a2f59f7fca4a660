import type { UnaryHandler } from '#platform/grpc/server.ts';
import type { LogInRequest, TokenPair } from '#proto/identity/v1/identity.ts';
import { logIn } from '../../domain/log-in.ts';
import type { IdentityContext } from '../../domain/ports.ts';

export function logInRpc(context: IdentityContext): UnaryHandler<LogInRequest, TokenPair> {
  return ({ email, passwordHash, password, code }, { caller }) =>
    logIn(context, caller, { email, passwordHash, password, code });
}
