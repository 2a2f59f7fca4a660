/** One reason why a value is refused: a type word, message and context of pydantic 2. */
export class Fault {
  readonly type: string;
  readonly msg: string;
  readonly ctx: Readonly<Record<string, unknown>> | undefined;

  constructor(type: string, msg: string, ctx?: Readonly<Record<string, unknown>>) {
    this.type = type;
    this.msg = msg;
    this.ctx = ctx;
  }
}

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** The faults that more than one primitive raises; pydantic's words, to the letter. */
export const faults = {
  missing: () => new Fault('missing', 'Field required'),
  extra: () => new Fault('extra_forbidden', 'Extra inputs are not permitted'),
  notAString: () => new Fault('string_type', 'Input should be a valid string'),
  notUnicode: () =>
    new Fault('string_unicode', 'Input should be a valid string, unable to parse raw data as a unicode string'),
  tooShort: (min: number) =>
    new Fault('string_too_short', `String should have at least ${plural(min, 'character')}`, { min_length: min }),
  tooLong: (max: number) =>
    new Fault('string_too_long', `String should have at most ${plural(max, 'character')}`, { max_length: max }),
  noMatch: (pattern: string) =>
    new Fault('string_pattern_mismatch', `String should match pattern '${pattern}'`, { pattern }),
  below: (ge: number) => new Fault('greater_than_equal', `Input should be greater than or equal to ${ge}`, { ge }),
  notAbove: (gt: number) => new Fault('greater_than', `Input should be greater than ${gt}`, { gt }),
  above: (le: number) => new Fault('less_than_equal', `Input should be less than or equal to ${le}`, { le }),
  notAList: () => new Fault('list_type', 'Input should be a valid list'),
  listTooShort: (min: number, actual: number) =>
    new Fault('too_short', `List should have at least ${plural(min, 'item')} after validation, not ${actual}`, {
      field_type: 'List',
      min_length: min,
      actual_length: actual,
    }),
  listTooLong: (max: number, actual: number) =>
    new Fault('too_long', `List should have at most ${plural(max, 'item')} after validation, not ${actual}`, {
      field_type: 'List',
      max_length: max,
      actual_length: actual,
    }),
  notAnObject: () =>
    new Fault('model_attributes_type', 'Input should be a valid dictionary or object to extract fields from'),
  notALiteral: (values: readonly unknown[]) => {
    const expected = orList(values.map((value) => `'${String(value)}'`));
    return new Fault('literal_error', `Input should be ${expected}`, { expected });
  },
} as const;

function orList(items: readonly string[]): string {
  if (items.length < 2) return items.join('');
  return `${items.slice(0, -1).join(', ')} or ${items.at(-1)}`;
}
