import type { Caller } from '#platform/grpc/caller.ts';
import { isId } from '#platform/ids.ts';
import { refusal } from './errors.ts';
import { requireKeyManager } from './key-manager.ts';
import { limitsOf, type MeteringLimits, type PlanName } from './plan.ts';
import type { IdentityContext } from './ports.ts';
import { monthOf, type UsageCount, usageMonthsMax } from './usage.ts';

export interface KeyUsage {
  readonly plan: PlanName;
  readonly limits: MeteringLimits;
  /** Newest first: the month under way, and those before in which the key was used. */
  readonly months: readonly UsageCount[];
}

type Context = Pick<IdentityContext, 'apiKeys' | 'plans' | 'planDefaults' | 'usage' | 'usageCounters' | 'now'>;

/**
 * What a hashed key may call, and what it has called; of a revoked one too.
 * @throws AppError `forbidden`, `not_found`.
 */
export async function getKeyUsage(context: Context, caller: Caller, id: string): Promise<KeyUsage> {
  requireKeyManager(caller);
  const { merchantId } = caller;
  if (!isId(id) || !(await isOwn(context, merchantId, id))) throw refusal.keyNotFound();
  const current = monthOf(context.now());
  const [plan, stored] = await Promise.all([
    context.plans.get(merchantId),
    context.usage.months(merchantId, id, usageMonthsMax),
  ]);
  const counted = new Map([[current, 0]]);
  // The gateways are some seconds ahead of the store, unless Redis has lost what they counted.
  const live = await context.usageCounters.read(id, [...new Set([current, ...stored.map(({ month }) => month)])]);
  for (const { month, calls } of [...stored, ...live]) counted.set(month, Math.max(counted.get(month) ?? 0, calls));
  const months = [...counted].map(([month, calls]) => ({ keyId: id, month, calls }));
  months.sort((one, other) => other.month.localeCompare(one.month));
  return { plan: plan.plan, limits: limitsOf(plan, context.planDefaults), months: months.slice(0, usageMonthsMax) };
}

async function isOwn({ apiKeys }: Context, merchantId: string, id: string): Promise<boolean> {
  return (await apiKeys.get(merchantId, id)) !== undefined || apiKeys.wasDeleted(merchantId, id);
}
