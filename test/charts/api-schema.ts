import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { repoRoot } from '#stack/paths.ts';

interface ApiSchema {
  readonly definitions: Record<string, object>;
  /** Definition of each `group/version/Kind`. */
  readonly kinds: Record<string, string>;
}

const read = (name: string) =>
  JSON.parse(gunzipSync(readFileSync(join(repoRoot, 'test', 'charts', 'schema', name))).toString());
const addFormats = formats.default;
const options = { strict: false, allErrors: true };

function told(errors: ErrorObject[] | null | undefined): string[] {
  return (errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

/**
 * Finds what the API server of Kubernetes 1.34 with field validation "Strict", the Prometheus operator and the Gateway
 * API would refuse in an object: unknown fields, missing ones, wrong types, unknown words.
 */
export function createApiValidator(): (object: { apiVersion: string; kind: string }) => string[] {
  const { definitions, kinds } = read('kubernetes-1.34.json.gz') as ApiSchema;
  const ajv = addFormats(new Ajv(options)).addSchema({ $id: 'api', definitions });
  ajv.addFormat('int-or-string', true);
  const compiled = new Map<string, ValidateFunction>();
  return (object) => {
    const kind = `${object.apiVersion}/${object.kind}`;
    if (!Object.hasOwn(kinds, kind)) return [`${kind} is no kind that is known here: add it in schema/make-main.ts`];
    const validate = compiled.get(kind) ?? ajv.compile({ $ref: `api#/definitions/${kinds[kind]}` });
    compiled.set(kind, validate);
    return validate(object) ? [] : told(validate.errors);
  };
}

/** What the Compose specification refuses in a file. */
export function composeFaults(file: object): string[] {
  const ajv = addFormats(new Ajv2020(options)).addFormat('duration', true);
  const validate = ajv.compile(read('compose-spec.json.gz'));
  return validate(file) ? [] : told(validate.errors);
}
