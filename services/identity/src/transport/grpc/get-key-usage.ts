import type { UnaryHandler } from '#platform/grpc/server.ts';
import type { GetKeyUsageRequest, KeyUsage } from '#proto/identity/v1/identity.ts';
import { getKeyUsage } from '../../domain/get-key-usage.ts';
import type { IdentityContext } from '../../domain/ports.ts';
import { toLimitsMessage } from './messages.ts';

export function getKeyUsageRpc(context: IdentityContext): UnaryHandler<GetKeyUsageRequest, KeyUsage> {
  return async ({ id }, { caller }) => {
    const { plan, limits, months } = await getKeyUsage(context, caller, id);
    const counted = months.map(({ month, calls }) => ({ month, calls: BigInt(calls) }));
    return { plan, limits: toLimitsMessage(limits), months: counted };
  };
}
