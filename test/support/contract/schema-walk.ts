import type { OpenApi } from '../../../gateway/src/openapi/document.ts';
import type { JsonSchema } from '../../../gateway/src/openapi/json-schema.ts';

export type Components = OpenApi['components']['schemas'];

/** What a schema comes to: references followed, `null` left out of its options. */
export function resolve(schema: JsonSchema, components: Components): JsonSchema {
  if (schema.$ref !== undefined) return resolve(components[String(schema.$ref.split('/').at(-1))] ?? {}, components);
  const options = optionsOf(schema);
  return options?.length === 1 ? resolve({ ...schema, anyOf: undefined, ...options[0] }, components) : schema;
}

/** The schemas that a value may keep to one of, without `null`. */
export function optionsOf(schema: JsonSchema): readonly JsonSchema[] | undefined {
  return (schema.anyOf ?? schema.oneOf)?.filter((option) => option.type !== 'null');
}
