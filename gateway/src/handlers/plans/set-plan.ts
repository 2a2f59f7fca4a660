import type { Handler } from '../../routes/route.ts';
import { MerchantPath, type MerchantPlanRead, SetPlanRequest } from '../../schemas/plans.ts';
import { renderPlan } from './plan-view.ts';

export const setPlanShapes = { params: MerchantPath, body: SetPlanRequest };

/** Replaces a merchant's plan; every gateway hears of it over Redis. */
export const setPlan: Handler<typeof setPlanShapes, typeof MerchantPlanRead> = async ({ params, body }, context) => {
  const perMonth = body.perMonth === undefined ? undefined : BigInt(body.perMonth);
  const change = { merchantId: params.merchantId, ...body, perMonth };
  return {
    body: renderPlan(
      await context.services.clients.identity.setMerchantPlan(change, context.caller, context.changing()),
    ),
  };
};
