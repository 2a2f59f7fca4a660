import type { UnaryHandler } from '#platform/grpc/server.ts';
import type { AuthenticateRequest, Metering as MeteringMessage, Principal } from '#proto/identity/v1/identity.ts';
import { authenticate } from '../../domain/authenticate.ts';
import type { IdentityContext } from '../../domain/ports.ts';
import type { Metering } from '../../domain/principal.ts';
import { toLimitsMessage } from './messages.ts';

export function authenticateRpc(context: IdentityContext): UnaryHandler<AuthenticateRequest, Principal> {
  return async ({ credential }) => {
    const { scopes, expiresAt, admin = false, metering, ...principal } = await authenticate(context, credential);
    const usual = { frozen: false, sandbox: false };
    return { ...usual, ...principal, admin, scopes: [...scopes], expiresAt, metering: toMeteringMessage(metering) };
  };
}

function toMeteringMessage(metering: Metering | undefined): MeteringMessage | undefined {
  if (metering === undefined) return undefined;
  return { ...toLimitsMessage(metering), month: metering.month, calls: BigInt(metering.calls) };
}
