import { z } from 'zod';

/** A JSON Schema object (draft 2020-12, the dialect of OpenAPI 3.1). */
export interface JsonSchema {
  [keyword: string]: unknown;
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly examples?: readonly unknown[];
  readonly description?: string;
}

const definitions = '#/$defs/';
const components = '#/components/schemas/';

/** Renders zod schemas; those with an id become components, which it collects. */
export class SchemaCollector {
  readonly components: Record<string, JsonSchema> = {};

  /** @param io `input` for what a client sends, `output` for what it gets. */
  render(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const rendered = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: tidy }) as JsonSchema;
    const { $schema: _dialect, $defs: named, ...root } = rendered;
    for (const [name, definition] of Object.entries((named ?? {}) as Record<string, JsonSchema>)) {
      this.#add(name, definition);
    }
    const name = schema.meta()?.id;
    if (name === undefined || root.$ref !== undefined) return relocate(root) as JsonSchema;
    this.#add(name, root);
    return { $ref: `${components}${name}` };
  }

  #add(name: string, definition: JsonSchema): void {
    const { id: _id, ...rest } = definition;
    this.components[name] = relocate(rest) as JsonSchema;
  }
}

type Override = NonNullable<z.core.ToJSONSchemaParams['override']>;

const tidy: Override = ({ zodSchema, jsonSchema }) => {
  // zod checks instants by a pattern of 400 characters; the format says it better.
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
  // zod leaves out the examples of what it transforms, since they might be of its output; ours are of the input.
  const examples = z.globalRegistry.get(zodSchema)?.examples;
  if (Array.isArray(examples)) jsonSchema.examples = examples;
};

/** References point to where the schemas end up in the document. */
function relocate(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(relocate);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, member]) => [
    key,
    key === '$ref' && typeof member === 'string' ? member.replace(definitions, components) : relocate(member),
  ]);
  return Object.fromEntries(entries);
}
