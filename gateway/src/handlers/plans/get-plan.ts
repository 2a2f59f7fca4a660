import type { Handler } from '../../routes/route.ts';
import { MerchantPath, type MerchantPlanRead } from '../../schemas/plans.ts';
import { renderPlan } from './plan-view.ts';

export const getPlanShapes = { params: MerchantPath };

/** A merchant's plan, for administrators. */
export const getPlan: Handler<typeof getPlanShapes, typeof MerchantPlanRead> = async ({ params }, context) => {
  const { identity } = context.services.clients;
  return { body: renderPlan(await identity.getMerchantPlan(params, context.caller, context.reading())) };
};
