import type { UnaryHandler } from '#platform/grpc/server.ts';
import type { GetMerchantPlanRequest, MerchantPlan } from '#proto/identity/v1/identity.ts';
import { getMerchantPlan } from '../../domain/get-merchant-plan.ts';
import type { IdentityContext } from '../../domain/ports.ts';
import { toPlanMessage } from './messages.ts';

export function getMerchantPlanRpc(context: IdentityContext): UnaryHandler<GetMerchantPlanRequest, MerchantPlan> {
  return async ({ merchantId }, { caller }) => toPlanMessage(await getMerchantPlan(context, caller, merchantId));
}
