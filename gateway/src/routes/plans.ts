import { getPlan, getPlanShapes } from '../handlers/plans/get-plan.ts';
import { setPlan, setPlanShapes } from '../handlers/plans/set-plan.ts';
import { MerchantPlanRead } from '../schemas/plans.ts';
import { type Route, route } from './route.ts';

const common = {
  tag: 'Administration',
  auth: 'admin',
  public: false,
  path: '/v2/admin/merchants/:merchantId/plan',
} as const;

export const planRoutes: readonly Route[] = [
  route({
    ...common,
    method: 'get',
    operationId: 'getMerchantPlan',
    summary: "A merchant's plan, and what its API keys may call",
    request: getPlanShapes,
    success: { status: 200, schema: MerchantPlanRead, description: 'The plan.' },
    errors: ['merchant_not_found'],
    handler: getPlan,
  }),
  route({
    ...common,
    method: 'put',
    operationId: 'setMerchantPlan',
    summary: "Replace a merchant's plan",
    description: 'The limits hold for each of its API keys, those of its sandbox too, within a second.',
    request: setPlanShapes,
    success: { status: 200, schema: MerchantPlanRead, description: 'The plan, in force.' },
    errors: ['merchant_not_found'],
    handler: setPlan,
  }),
];
