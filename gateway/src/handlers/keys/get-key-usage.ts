import type { Handler } from '../../routes/route.ts';
import { KeyPath } from '../../schemas/identity.ts';
import type { KeyUsage } from '../../schemas/plans.ts';
import { renderLimits, renderPlanName } from '../plans/plan-view.ts';

export const getKeyUsageShapes = { params: KeyPath };

/** What an API key may call, and what it has called. */
export const getKeyUsage: Handler<typeof getKeyUsageShapes, typeof KeyUsage> = async ({ params }, context) => {
  const { identity } = context.services.clients;
  const usage = await identity.getKeyUsage({ id: params.id }, context.caller, context.reading());
  const months = usage.months.map(({ month, calls }) => ({ month, calls: Number(calls) }));
  return { body: { plan: renderPlanName(usage.plan), limits: renderLimits(usage.limits), months } };
};
