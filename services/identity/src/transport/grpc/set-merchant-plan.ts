import type { UnaryHandler } from '#platform/grpc/server.ts';
import type { MerchantPlan, SetMerchantPlanRequest } from '#proto/identity/v1/identity.ts';
import type { IdentityContext } from '../../domain/ports.ts';
import { type PlanChange, setMerchantPlan } from '../../domain/set-merchant-plan.ts';
import { toPlanMessage } from './messages.ts';

export function setMerchantPlanRpc(context: IdentityContext): UnaryHandler<SetMerchantPlanRequest, MerchantPlan> {
  return async (request, { caller }) =>
    toPlanMessage(await setMerchantPlan(context, caller, request.merchantId, toPlanChange(request)));
}

export function toPlanChange({ plan, perMinute, perHour, perMonth }: SetMerchantPlanRequest): PlanChange {
  return { plan, perMinute, perHour, perMonth: perMonth === undefined ? undefined : Number(perMonth) };
}
