/** Calls of one hashed key in one UTC month. */
export interface UsageCount {
  readonly keyId: string;
  /** YYYY-MM. */
  readonly month: string;
  readonly calls: number;
}

/** A count, and whose key it is of. */
export interface OwnedUsageCount extends UsageCount {
  readonly merchantId: string;
}

/** Months of usage that are shown. */
export const usageMonthsMax = 13;

/** The UTC month of an instant, YYYY-MM. */
export function monthOf(instant: Date): string {
  return instant.toISOString().slice(0, 7);
}
