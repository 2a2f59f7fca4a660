import { Fault } from './fault.ts';

/**
 * A JSON number whose digits do not fit a double, kept as it was written, so that `5000.000000000000001` is seen
 * to have more than two decimal places.
 */
export class ExactNumber {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

const textLengthMax = 64;
const plain = /^\s*([+-]?)(\d*)(?:\.(\d*))?\s*$/;
const scientific = /^(-?)(\d+)(?:\.(\d+))?[eE]([+-]?\d+)$/;
const exponentMax = 400;

/** A decimal as sign and digits: value = digits × 10^-places. */
interface Decimal {
  readonly digits: bigint;
  readonly places: number;
}

/**
 * Reads an amount exactly, without floating-point arithmetic.
 * @returns minor units (two decimals), or the fault in pydantic's words.
 */
export function parseMinorUnits(input: unknown): bigint | Fault {
  const decimal = toDecimal(input);
  if (decimal instanceof Fault) return decimal;
  if (decimal.places > 2) {
    return new Fault('decimal_max_places', 'Decimal input should have no more than 2 decimal places', {
      decimal_places: 2,
    });
  }
  return decimal.digits * 10n ** BigInt(2 - decimal.places);
}

function toDecimal(input: unknown): Decimal | Fault {
  if (typeof input === 'string') return fromPlain(input);
  if (typeof input === 'number') {
    if (!Number.isFinite(input)) return new Fault('finite_number', 'Input should be a finite number');
    // The shortest text that reads back as this double: what the caller wrote, for up to 15 digits.
    return fromNumber(String(input));
  }
  if (input instanceof ExactNumber) return fromNumber(input.source);
  return new Fault('decimal_type', 'Decimal input should be an integer, float, string or Decimal object');
}

function fromNumber(text: string): Decimal | Fault {
  const parts = scientific.exec(text);
  if (parts === null) return fromPlain(text);
  const exponent = Number(parts[4]);
  if (Math.abs(exponent) > exponentMax) return new Fault('finite_number', 'Input should be a finite number');
  return normalise(parts[1] ?? '', parts[2] ?? '', parts[3] ?? '', exponent);
}

function fromPlain(text: string): Decimal | Fault {
  const parts = text.length <= textLengthMax ? plain.exec(text) : null;
  const whole = parts?.[2] ?? '';
  const fraction = parts?.[3] ?? '';
  if (parts === null || whole.length + fraction.length === 0) {
    return new Fault('decimal_parsing', 'Input should be a valid decimal');
  }
  return normalise(parts[1] ?? '', whole, fraction, 0);
}

/** Cuts trailing zeros: 5.000 has no decimal places. */
function normalise(sign: string, whole: string, fraction: string, exponent: number): Decimal {
  const places = fraction.length - exponent;
  const all = `${whole}${fraction}${'0'.repeat(Math.max(0, -places))}`;
  const kept = all.slice(0, all.length - trailingZeros(all, Math.max(0, places)));
  const digits = BigInt(kept === '' ? '0' : kept);
  return {
    digits: sign === '-' ? -digits : digits,
    places: digits === 0n ? 0 : Math.max(0, places) - (all.length - kept.length),
  };
}

function trailingZeros(digits: string, countMax: number): number {
  let count = 0;
  while (count < countMax && digits[digits.length - 1 - count] === '0') count += 1;
  return count;
}

/** Minor units as decimal text with two places: 1234n is "12.34". All our currencies have two decimals. */
export function formatMinorUnits(minor: bigint): string {
  const negative = minor < 0n;
  const digits = (negative ? -minor : minor).toString().padStart(3, '0');
  return `${negative ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
