/** What a merchant has agreed on with whoever runs the installation. */
export const planNames = ['free', 'paid'] as const;
export type PlanName = (typeof planNames)[number];

/** What each hashed key of a merchant may call. */
export interface MeteringLimits {
  readonly perMinute: number;
  readonly perHour: number;
  /** In a UTC month; absent: without bound. */
  readonly perMonth?: number;
}

/** A merchant's plan. Its sandbox shares it. */
export interface MerchantPlan {
  readonly merchantId: string;
  readonly plan: PlanName;
  /** In place of the plan's own. */
  readonly perMinute?: number;
  readonly perHour?: number;
  readonly perMonth?: number;
}

/** The plans' own limits, for the whole installation. */
export interface PlanDefaults {
  readonly freePerMonth: number;
  readonly perMinute: number;
  readonly perHour: number;
}

/** Bounds of what may be set. */
export const limitBounds = {
  perMinute: { min: 1, max: 10_000_000 },
  perHour: { min: 1, max: 600_000_000 },
  perMonth: { min: 1, max: 1_000_000_000_000 },
} as const;

export function isPlanName(text: string): text is PlanName {
  return (planNames as readonly string[]).includes(text);
}

/** The plan of a merchant for whom none was ever set. */
export function usualPlan(merchantId: string): MerchantPlan {
  return { merchantId, plan: 'free' };
}

/** What a plan comes to: its own limits, unless the merchant has others. */
export function limitsOf({ plan, ...own }: MerchantPlan, defaults: PlanDefaults): MeteringLimits {
  return {
    perMinute: own.perMinute ?? defaults.perMinute,
    perHour: own.perHour ?? defaults.perHour,
    perMonth: own.perMonth ?? (plan === 'free' ? defaults.freePerMonth : undefined),
  };
}
