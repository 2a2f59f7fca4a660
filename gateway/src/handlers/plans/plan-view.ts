import type { MerchantPlan, MeteringLimits } from '#proto/identity/v1/identity.ts';
import { present } from '../render.ts';

export function renderLimits(limits: MeteringLimits | undefined) {
  const { perMinute, perHour, perMonth } = present(limits, 'limits');
  return { perMinute, perHour, perMonth: perMonth === undefined ? null : Number(perMonth) };
}

/** The plan's name is a word of the schema: identity knows no other. */
export const renderPlanName = (plan: string) => (plan === 'paid' ? 'paid' : 'free');

export function renderPlan({ merchantId, plan, limits }: MerchantPlan) {
  return { merchantId, plan: renderPlanName(plan), limits: renderLimits(limits) } as const;
}
