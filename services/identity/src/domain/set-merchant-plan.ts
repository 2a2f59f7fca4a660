import type { Caller } from '#platform/grpc/caller.ts';
import { isId } from '#platform/ids.ts';
import { BodyCheck } from '#platform/validation.ts';
import { refusal } from './errors.ts';
import { isPlanName, limitBounds, limitsOf, type MerchantPlan, type MeteringLimits, planNames } from './plan.ts';
import { requirePlanManager } from './plan-manager.ts';
import type { IdentityContext } from './ports.ts';

/** A plan as it is asked for; what is absent is the plan's own. */
export interface PlanChange {
  readonly plan: string;
  readonly perMinute?: number;
  readonly perHour?: number;
  readonly perMonth?: number;
}

type Context = Pick<
  IdentityContext,
  'users' | 'plans' | 'planDefaults' | 'sandboxes' | 'revocations' | 'audit' | 'transaction' | 'now'
>;

/**
 * Replaces a merchant's plan, which its sandbox shares. Gateways hear of it at once.
 * @throws AppError `forbidden` unless the caller is an administrator or operator, 422, `merchant_not_found`.
 */
export async function setMerchantPlan(
  context: Context,
  caller: Caller,
  merchantId: string,
  change: PlanChange,
): Promise<{ plan: MerchantPlan; limits: MeteringLimits }> {
  await requirePlanManager(context, caller);
  const agreed = check(change);
  const owner = isId(merchantId) ? await context.users.get(merchantId) : undefined;
  if (owner?.merchantId !== merchantId) throw refusal.merchantNotFound();
  const plan = { merchantId, ...agreed };
  await context.transaction(async () => {
    await context.plans.put(plan, context.now());
    await context.audit.record(caller, {
      ...{ action: 'plan_changed', resourceType: 'merchant', resourceId: merchantId, resourceName: owner.company },
      ...{ merchantId, details: agreed },
    });
  });
  const sandboxId = await context.sandboxes.find(merchantId);
  await context.revocations.publish(merchantId);
  if (sandboxId !== undefined) await context.revocations.publish(sandboxId);
  return { plan, limits: limitsOf(plan, context.planDefaults) };
}

function check({ plan, perMinute, perHour, perMonth }: PlanChange): Omit<MerchantPlan, 'merchantId'> {
  new BodyCheck()
    .oneOf('plan', plan, planNames)
    .int('perMinute', perMinute, limitBounds.perMinute)
    .int('perHour', perHour, limitBounds.perHour)
    .int('perMonth', perMonth, limitBounds.perMonth)
    .done();
  return { plan: isPlanName(plan) ? plan : 'free', perMinute, perHour, perMonth };
}
