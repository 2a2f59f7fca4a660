const wholeDigitsMax = 12;

/** Bounds in minor units, both inclusive; undefined: as many digits as amounts may have. */
interface Bounds {
  /** 0, 1, or undefined: negative amounts are in order too. */
  readonly min: 0n | 1n | undefined;
  /** A multiple of 100. */
  readonly max: bigint | undefined;
}

/**
 * A pattern of decimal text with at most two places within bounds, for JSON Schema, which has no bounds for text. Without
 * lookahead, so that every engine can run it. It matches the plain way of writing only (no sign before a positive amount,
 * no leading zeros); what is accepted besides is a courtesy.
 */
export function decimalPattern({ min, max }: Bounds): string {
  const whole = max === undefined ? undefined : max / 100n;
  const forms = [
    `(?:${whole === undefined ? upToDigits(wholeDigitsMax) : below(String(whole))})(?:\\.\\d{1,2})?`,
    '0\\.(?:0[1-9]|[1-9]\\d?)',
    ...(whole === undefined ? [] : [`${whole}(?:\\.0{1,2})?`]),
    ...(min === 1n ? [] : ['0(?:\\.0{1,2})?']),
    ...(min === undefined ? [`-(?:0|${upToDigits(wholeDigitsMax)})(?:\\.\\d{1,2})?`] : []),
  ];
  return `^(?:${forms.join('|')})$`;
}

/** Whole numbers from 1, without leading zeros. */
const upToDigits = (count: number) => `[1-9]\\d{0,${count - 1}}`;

/** Whole numbers from 1 to one less than `bound`, which has at least two digits. */
function below(bound: string): string {
  const alternatives = [upToDigits(bound.length - 1)];
  for (let index = 0; index < bound.length; index += 1) {
    const lowest = index === 0 ? 1 : 0;
    const highest = Number(bound[index]) - 1;
    if (highest < lowest) continue;
    const rest = bound.length - 1 - index;
    alternatives.push(`${bound.slice(0, index)}[${lowest}-${highest}]${rest > 0 ? `\\d{${rest}}` : ''}`);
  }
  return alternatives.join('|');
}
