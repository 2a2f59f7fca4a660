import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { OpenApi } from './document.ts';
import type { JsonSchema } from './json-schema.ts';

/** Checks values against the schemas of a document with ajv (draft 2020-12, formats asserted). */
export class SchemaChecker {
  readonly #ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: false }));
  readonly #components: OpenApi['components'];
  readonly #compiled = new Map<string, ValidateFunction>();

  constructor({ components }: OpenApi) {
    this.#components = components;
    // What ajv knows nothing of; our patterns and bounds say it all.
    for (const format of ['decimal', 'phone']) this.#ajv.addFormat(format, true);
  }

  /** @returns what is wrong with the value, or undefined. */
  faultOf(schema: JsonSchema, value: unknown): string | undefined {
    const validate = this.#compile(schema);
    return validate(value) ? undefined : this.#ajv.errorsText(validate.errors);
  }

  #compile(schema: JsonSchema): ValidateFunction {
    const key = JSON.stringify(schema);
    const known = this.#compiled.get(key);
    if (known !== undefined) return known;
    // References lead from the root of what is compiled.
    const compiled = this.#ajv.compile({ ...schema, components: { schemas: this.#components.schemas } });
    this.#compiled.set(key, compiled);
    return compiled;
  }
}
