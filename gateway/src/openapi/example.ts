import type { JsonSchema } from './json-schema.ts';

const depthMax = 8;
const byFormat: Readonly<Record<string, string>> = {
  'date-time': '2027-01-31T12:00:00.000Z',
  email: 'ada@example.com',
  uri: 'https://example.com/',
};

/** A value that a schema describes, made from its examples where it has some. */
export function exampleOf(schema: JsonSchema, components: Readonly<Record<string, JsonSchema>>, depth = 0): unknown {
  if (schema.$ref !== undefined) {
    const target = components[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)];
    return target === undefined || depth > depthMax ? {} : exampleOf(target, components, depth + 1);
  }
  if (schema.examples !== undefined && schema.examples.length > 0) return schema.examples[0];
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum !== undefined) return schema.enum[0];
  const options = schema.anyOf ?? schema.oneOf;
  if (options !== undefined) {
    const filled = options.find((option) => option.type !== 'null') ?? {};
    return exampleOf(filled, components, depth + 1);
  }
  const type = Array.isArray(schema.type) ? schema.type.find((name) => name !== 'null') : schema.type;
  return ofType(String(type), schema, components, depth);
}

function ofType(
  type: string,
  schema: JsonSchema,
  components: Readonly<Record<string, JsonSchema>>,
  depth: number,
): unknown {
  switch (type) {
    case 'object': {
      const members = Object.entries(schema.properties ?? {});
      return Object.fromEntries(members.map(([name, member]) => [name, exampleOf(member, components, depth + 1)]));
    }
    case 'array':
      return schema.items === undefined ? [] : [exampleOf(schema.items, components, depth + 1)];
    case 'string':
      return (
        byFormat[String(schema.format)] ??
        'text'.padEnd(Number(schema.minLength ?? 0), 'x').slice(0, Number(schema.maxLength ?? 1_000))
      );
    case 'integer':
    case 'number':
      return schema.minimum ?? 0;
    case 'boolean':
      return true;
    default:
      return {};
  }
}
