import type { Caller } from '#platform/grpc/caller.ts';
import { isId } from '#platform/ids.ts';
import { refusal } from './errors.ts';
import { limitsOf, type MerchantPlan, type MeteringLimits } from './plan.ts';
import { requirePlanManager } from './plan-manager.ts';
import type { IdentityContext } from './ports.ts';

/**
 * A merchant's plan, and what it comes to.
 * @throws AppError `forbidden` unless the caller is an administrator or operator, `merchant_not_found`.
 */
export async function getMerchantPlan(
  context: Pick<IdentityContext, 'users' | 'plans' | 'planDefaults'>,
  caller: Caller,
  merchantId: string,
): Promise<{ plan: MerchantPlan; limits: MeteringLimits }> {
  await requirePlanManager(context, caller);
  const owner = isId(merchantId) ? await context.users.get(merchantId) : undefined;
  if (owner?.merchantId !== merchantId) throw refusal.merchantNotFound();
  const plan = await context.plans.get(merchantId);
  return { plan, limits: limitsOf(plan, context.planDefaults) };
}
