import { z } from 'zod';
import { parseDateTime } from '../validation/date-time.ts';
import { ExactNumber, parseMinorUnits } from '../validation/decimal.ts';
import { decimalPattern } from '../validation/decimal-pattern.ts';
import { parseEmail } from '../validation/email.ts';
import { Fault, faults } from '../validation/fault.ts';
import { parseHttpUrl, urlLengthMax } from '../validation/url.ts';

/** What the OpenAPI document says of a value that zod itself cannot describe. */
type JsonSchema = Readonly<Record<string, unknown>>;

/** A value that arrives in one form and is used in another; `parse` gives the value or pydantic's fault. */
function scalar<T>(parse: (input: unknown) => T | Fault, jsonSchema: JsonSchema) {
  return z
    .unknown()
    .transform((input, context): T => {
      const parsed = parse(input);
      if (!(parsed instanceof Fault)) return parsed;
      context.addIssue({ code: 'custom', params: { fault: parsed } });
      return z.NEVER;
    })
    .meta(jsonSchema);
}

interface TextBounds {
  readonly min?: number;
  readonly max?: number;
  /** Named in the fault as it stands here. */
  readonly pattern?: RegExp;
  readonly example?: string;
  readonly description?: string;
}

/** A string; its length is counted in characters (code points), as JSON Schema does. */
export function text({ min, max, pattern, example, description }: TextBounds) {
  const parse = (input: unknown): string | Fault => {
    if (typeof input !== 'string') return faults.notAString();
    if (!input.isWellFormed()) return faults.notUnicode();
    // Code units are an upper bound of characters; count only where that does not decide.
    if (min !== undefined && (input.length < min || (min > 1 && [...input].length < min))) return faults.tooShort(min);
    if (max !== undefined && input.length > max && [...input].length > max) return faults.tooLong(max);
    if (pattern !== undefined && !pattern.test(input)) return faults.noMatch(pattern.source);
    return input;
  };
  return scalar(parse, {
    type: 'string',
    ...(min !== undefined && { minLength: min }),
    ...(max !== undefined && { maxLength: max }),
    ...(pattern !== undefined && { pattern: pattern.source }),
    ...(example !== undefined && { examples: [example] }),
    ...(description !== undefined && { description }),
  });
}

/** A record id: 24 lowercase hex digits. */
export const id = (description?: string) =>
  text({ pattern: /^[0-9a-f]{24}$/, example: '66f0c2a1b4d3e5f6a7b8c9d0', ...(description && { description }) });

/** A whole number within `min..max`, as a number or, in a query, as text. */
export function integer({ min, max, description }: { min: number; max: number; description?: string }) {
  const parse = (input: unknown): number | Fault => {
    const number = toInteger(input instanceof ExactNumber ? Number(input.source) : input);
    if (number instanceof Fault) return number;
    if (number < min) return faults.below(min);
    return number > max ? faults.above(max) : number;
  };
  return scalar(parse, { type: 'integer', minimum: min, maximum: max, ...(description && { description }) });
}

function toInteger(input: unknown): number | Fault {
  if (typeof input === 'number') {
    if (Number.isInteger(input)) return input;
    return new Fault('int_from_float', 'Input should be a valid integer, got a number with a fractional part');
  }
  if (typeof input !== 'string') return new Fault('int_type', 'Input should be a valid integer');
  if (/^\s*[+-]?\d{1,400}(\.0{0,100})?\s*$/.test(input)) return Number(input);
  return new Fault('int_parsing', 'Input should be a valid integer, unable to parse string as an integer');
}

const truths = new Set(['true', '1', 't', 'y', 'yes', 'on']);
const falsehoods = new Set(['false', '0', 'f', 'n', 'no', 'off']);

/** A boolean; the words and digits that pydantic reads as one are taken too. */
export const boolean = (description?: string) =>
  scalar(
    (input): boolean | Fault => {
      if (typeof input === 'boolean') return input;
      if (typeof input !== 'string' && !Number.isInteger(input)) {
        return new Fault('bool_type', 'Input should be a valid boolean');
      }
      const word = String(input).toLowerCase();
      if (truths.has(word)) return true;
      if (falsehoods.has(word)) return false;
      return new Fault('bool_parsing', 'Input should be a valid boolean, unable to interpret input');
    },
    { type: 'boolean', ...(description && { description }) },
  );

interface AmountBounds {
  /** In minor units; without it negative amounts are taken too. */
  readonly ge?: 0n | 1n | undefined;
  /** Instead of `ge`: more than nothing. */
  readonly gt?: 0n;
  /** In minor units, a multiple of 100. Without it amounts have at most 14 digits. */
  readonly le?: bigint | undefined;
}

const unboundedMinorMax = 99_999_999_999_999n;

/** An amount of money: a number or numeric string with at most two decimals. Parsed to minor units (bigint). */
export function amount({ ge, gt, le }: AmountBounds) {
  const parse = (input: unknown): bigint | Fault => {
    const minor = parseMinorUnits(input);
    if (minor instanceof Fault) return minor;
    if (ge !== undefined && minor < ge) return faults.below(Number(ge) / 100);
    if (gt !== undefined && minor <= gt) return faults.notAbove(Number(gt));
    if (le !== undefined && minor > le) return faults.above(Number(le) / 100);
    if (minor > unboundedMinorMax || minor < -unboundedMinorMax) {
      return new Fault('decimal_max_digits', 'Decimal input should have no more than 14 digits in total', {
        max_digits: 14,
      });
    }
    return minor;
  };
  const bounds = {
    ...(gt === undefined ? { minimum: Number(ge ?? -unboundedMinorMax) / 100 } : { exclusiveMinimum: Number(gt) }),
    maximum: Number(le ?? unboundedMinorMax) / 100,
  };
  return scalar(parse, {
    anyOf: [
      // Not `multipleOf: 0.01`: validators that count in doubles would refuse 25.1.
      { type: 'number', format: 'decimal', ...bounds },
      { type: 'string', format: 'decimal', pattern: decimalPattern({ min: gt === undefined ? ge : 1n, max: le }) },
    ],
    description: 'At most two decimals.',
    examples: ['25.00'],
  });
}

/** An ISO 8601 date-time; without an offset it is UTC. */
export const dateTime = () =>
  scalar(parseDateTime, { type: 'string', format: 'date-time', examples: ['2027-01-31T12:00:00Z'] });

export const email = () =>
  scalar(parseEmail, { type: 'string', format: 'email', maxLength: 254, examples: ['ada@example.com'] });

export const httpUrl = () =>
  scalar(parseHttpUrl, {
    type: 'string',
    format: 'uri',
    pattern: '^[Hh][Tt][Tt][Pp][Ss]?://',
    maxLength: urlLengthMax,
    examples: ['https://shop.example.com/hooks/tallycard'],
  });

const phonePattern = /^\+?(?:[ ().\-/]*\d){5,15}[ ().\-/]*$/;
const phoneCharactersMax = 50;

/** A telephone number: 5 to 15 digits with the usual separators, the country code first or not. */
export const phone = () =>
  scalar(
    (input): string | Fault => {
      if (typeof input !== 'string') return faults.notAString();
      if (input.length <= phoneCharactersMax && phonePattern.test(input)) return input;
      return new Fault('value_error', 'value is not a valid phone number');
    },
    {
      type: 'string',
      format: 'phone',
      maxLength: phoneCharactersMax,
      pattern: phonePattern.source,
      examples: ['+44 20 7946 0958'],
    },
  );

/** One of a few words. */
export const oneOf = <const Words extends readonly [string, ...string[]]>(...words: Words) => z.enum(words);

/** A list with bounds on its length. */
export const list = <Item extends z.ZodType>(item: Item, { min = 0, max }: { min?: number; max: number }) => {
  const bounded = z.array(item).max(max);
  return min > 0 ? bounded.min(min) : bounded;
};

/** A field that may be absent or null; either way it reads as undefined. */
export const optional = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform((value) => value ?? undefined);

/** An object of JSON. Zod alone would take an {@link ExactNumber} for one: here it is the number it stands for. */
export const object = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((input) => (input instanceof ExactNumber ? Number(input.source) : input), schema);

/** A body: unknown fields are refused. */
export const body = <Fields extends z.core.$ZodLooseShape>(fields: Fields) => object(z.strictObject(fields));
