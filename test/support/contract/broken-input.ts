import { exampleOf } from '../../../gateway/src/openapi/example.ts';
import type { JsonSchema } from '../../../gateway/src/openapi/json-schema.ts';
import { type Components, optionsOf, resolve } from './schema-walk.ts';

/** A value that a schema does not describe. */
export interface Broken {
  /** What is wrong with it, and where. */
  readonly what: string;
  readonly value: unknown;
  /** Where the fault is, as far as names go. */
  readonly path: readonly string[];
}

const depthMax = 3;

/** Each way in which a value can fail a schema, one at a time, the rest as in `base`. */
export function brokenValues(schema: JsonSchema, components: Components, base: unknown, depth = 0): Broken[] {
  const target = resolve(schema, components);
  const options = optionsOf(target);
  if (options !== undefined && target.oneOf !== undefined) return ofUnion(options, components, depth);
  if (options !== undefined) return ofAmount(options);
  if (target.enum !== undefined || target.const !== undefined) return at([], ['none of the words', 'no-such-word']);
  switch (target.type) {
    case 'object':
      return depth > depthMax ? [] : ofObject(target, components, base, depth);
    case 'array':
      return depth > depthMax ? [] : ofList(target, components, depth);
    case 'integer':
      return at([], ['text', 'x'], ['a fraction', 1.5], ['an object', {}], ...outOfBounds(target, 1));
    case 'boolean':
      return at([], ['text', 'maybe'], ['an object', {}]);
    case 'string':
      return ofText(target);
    default:
      return [];
  }
}

const at = (path: readonly string[], ...faults: [string, unknown][]): Broken[] =>
  faults.map(([what, value]) => ({ what, value, path }));

function outOfBounds({ minimum, exclusiveMinimum, maximum }: JsonSchema, step: number): [string, unknown][] {
  const faults: [string, unknown][] = [];
  const below = minimum === undefined ? exclusiveMinimum : Number(minimum) - step;
  if (below !== undefined) faults.push(['too little', round(Number(below))]);
  if (maximum !== undefined) faults.push(['too much', round(Number(maximum) + step)]);
  return faults;
}

const round = (value: number) => Math.round(value * 100) / 100;

/** A number or numeric text; the bounds hold for both. */
function ofAmount(options: readonly JsonSchema[]): Broken[] {
  const bounds = outOfBounds(options.find(({ type }) => type === 'number') ?? {}, 0.01);
  const inText = bounds.map(([what, value]): [string, unknown] => [`${what} in text`, Number(value).toFixed(2)]);
  return at([], ['text', 'much'], ['three decimals', 1.001], ['an object', {}], ...bounds, ...inText);
}

function ofText({ minLength, maxLength, pattern, format }: JsonSchema): Broken[] {
  const faults: [string, unknown][] = [
    ['a list', ['x']],
    ['an object', {}],
  ];
  if (Number(minLength ?? 0) > 0) faults.push(['too short', 'x'.repeat(Number(minLength) - 1)]);
  if (maxLength !== undefined) faults.push(['too long', 'x'.repeat(Number(maxLength) + 1)]);
  if (pattern !== undefined) faults.push(['not of the pattern', '~']);
  if (['date-time', 'email', 'uri'].includes(String(format))) faults.push([`no ${format}`, 'none of that']);
  return at([], ...faults).filter(
    ({ what, value }) => what !== 'not of the pattern' || !new RegExp(String(pattern)).test(String(value)),
  );
}

function ofObject(schema: JsonSchema, components: Components, base: unknown, depth: number): Broken[] {
  const whole = base as Record<string, unknown>;
  const members = Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const given = whole[name] ?? exampleOf(member, components);
    return brokenValues(member, components, given, depth + 1).map(({ what, value, path }) => ({
      what: `${name}: ${what}`,
      value: { ...whole, [name]: value },
      path: [name, ...path],
    }));
  });
  const missing = (schema.required ?? []).map((name) => {
    const { [name]: _left, ...rest } = whole;
    return { what: `${name}: missing`, value: rest, path: [name] };
  });
  const extra = { what: 'an unknown field', value: { ...whole, unknownField: 1 }, path: ['unknownField'] };
  return [...members, ...missing, ...(schema.additionalProperties === false ? [extra] : []), ...at([], ['text', 'x'])];
}

function ofList({ items = {}, minItems, maxItems }: JsonSchema, components: Components, depth: number): Broken[] {
  const item = exampleOf(items, components);
  const faults: [string, unknown][] = [
    ['text', 'x'],
    ['an object', {}],
  ];
  if (Number(minItems ?? 0) > 0) faults.push(['too few', Array(Number(minItems) - 1).fill(item)]);
  if (maxItems !== undefined) faults.push(['too many', Array(Number(maxItems) + 1).fill(item)]);
  const inside = brokenValues(items, components, item, depth + 1).map(({ what, value, path }) => ({
    what: `an item: ${what}`,
    value: [value],
    path,
  }));
  return [...at([], ...faults), ...inside];
}

/** The members of a union, each broken in its own way. */
function ofUnion(options: readonly JsonSchema[], components: Components, depth: number): Broken[] {
  return options.flatMap((option) => brokenValues(option, components, exampleOf(option, components), depth + 1));
}
