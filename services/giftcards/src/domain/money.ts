/** An amount in minor units (pence of a pound). Always a safe integer. */
export type Minor = number;

/** No balance may pass this: 10,000.00 in minor units (spec, transfer rule 4). */
export const balanceMinorMax: Minor = 1_000_000;

/** The amount itself, or a thrown RangeError: asserted before a write and after a read. */
export function assertMinor(amount: number): Minor {
  if (!Number.isSafeInteger(amount)) throw new RangeError(`not an amount of minor units: ${amount}`);
  return amount;
}

/** Renders minor units as the decimal text of the API: 1234 → "12.34". */
export function toDecimal(amount: Minor): string {
  const digits = String(Math.abs(assertMinor(amount))).padStart(3, '0');
  return `${amount < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
