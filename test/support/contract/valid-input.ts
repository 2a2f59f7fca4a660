import fc, { type Arbitrary } from 'fast-check';
import type { JsonSchema } from '../../../gateway/src/openapi/json-schema.ts';
import { type Components, optionsOf, resolve } from './schema-walk.ts';

/** Values that are there to be named, by the name of their field: ids of real records. */
export type Known = Readonly<Record<string, unknown>>;

const listMax = 3;
const textMax = 300;
const dayMs = 86_400_000;

/**
 * What a schema describes. Where a schema says less than it means (an id of what exists, a time to come), `known`
 * and the format decide.
 */
export function valid(schema: JsonSchema, components: Components, known: Known, name = ''): Arbitrary<unknown> {
  if (Object.hasOwn(known, name)) return fc.constant(known[name]);
  const options = optionsOf(schema);
  if (options !== undefined && options.length > 1) {
    return fc.oneof(...options.map((option) => valid(option, components, known)));
  }
  const target = resolve(schema, components);
  const nullable = (schema.anyOf ?? []).some((option) => option.type === 'null');
  const filled = ofType(target, components, known, name);
  return nullable ? fc.oneof({ weight: 4, arbitrary: filled }, { weight: 1, arbitrary: fc.constant(null) }) : filled;
}

function ofType(schema: JsonSchema, components: Components, known: Known, name: string): Arbitrary<unknown> {
  if (schema.type === 'string' && schema.anyOf !== undefined) return fc.oneof(fc.ipV4(), fc.ipV6());
  const options = optionsOf(schema);
  if (options !== undefined) return fc.oneof(...options.map((option) => valid(option, components, known)));
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case 'object': {
      const members = Object.entries(schema.properties ?? {});
      const values = members.map(([key, member]) => [key, valid(member, components, known, key)] as const);
      const given = members.map(([key]) => key).filter((key) => known[key] !== undefined);
      return fc.record(Object.fromEntries(values), { requiredKeys: [...(schema.required ?? []), ...given] });
    }
    case 'array': {
      const minLength = Number(schema.minItems ?? 0);
      const maxLength = Math.min(Number(schema.maxItems ?? listMax), Math.max(minLength, listMax));
      return fc.array(valid(schema.items ?? {}, components, known, name), { minLength, maxLength });
    }
    case 'integer':
      return fc.integer({ min: Number(schema.minimum ?? 0), max: Number(schema.maximum ?? 1_000) });
    case 'number':
      return cents(schema);
    case 'boolean':
      return fc.boolean();
    case 'string':
      return text(schema);
    default:
      return fc.jsonValue();
  }
}

function cents({ minimum, exclusiveMinimum, maximum }: JsonSchema): Arbitrary<number> {
  const min = minimum === undefined ? Number(exclusiveMinimum ?? 0) * 100 + 1 : Number(minimum) * 100;
  return fc.integer({ min: Math.round(min), max: Math.round(Number(maximum) * 100) }).map((minor) => minor / 100);
}

function text(schema: JsonSchema): Arbitrary<string> {
  switch (schema.format) {
    case 'date-time':
      return fc.integer({ min: 1, max: 300 }).map((days) => new Date(Date.now() + days * dayMs).toISOString());
    case 'email':
      return fc.integer({ min: 0, max: 9_999 }).map((number) => `ada+${number}@example.com`);
    case 'uri':
      return fc.integer({ min: 0, max: 9_999 }).map((number) => `https://shop.example.com/${number}`);
  }
  const maxLength = Math.min(Number(schema.maxLength ?? textMax), textMax);
  const minLength = Number(schema.minLength ?? 0);
  if (schema.pattern === undefined) return fc.string({ unit: 'binary', minLength, maxLength });
  const fits = (value: string) => value.length >= minLength && value.length <= maxLength;
  return fc.stringMatching(new RegExp(String(schema.pattern))).filter(fits);
}
