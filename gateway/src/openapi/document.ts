import type { Route } from '../routes/route.ts';
import { HttpValidationError, Problem } from '../schemas/common.ts';
import type { SchemaVersion } from '../schemas/service.ts';
import { headerComponents } from './headers.ts';
import { type JsonSchema, SchemaCollector } from './json-schema.ts';
import { type Operation, renderOperation } from './operation.ts';
import { securitySchemes } from './security.ts';

/** The parts of an OpenAPI 3.1 document that we write. */
export interface OpenApi {
  readonly openapi: '3.1.0';
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly headers: Readonly<Record<string, unknown>>;
    readonly securitySchemes: Readonly<Record<string, unknown>>;
  };
}

const description = [
  'Loyalty programs, wallet passes and gift cards over JSON.',
  'Ids are 24 lowercase hex digits, times are ISO 8601 in UTC, amounts are decimal text with two places.',
  'Lists are bare arrays, with `X-Total-Count` and a `Link` to the next page.',
  'Errors are problem+json (RFC 9457) with a stable `code`; malformed input is a 422 that names every fault.',
].join(' ');

/** Renders the public part of the route table as it stood in one version of the schema. */
export function renderDocument(
  routes: readonly Route[],
  { version, publicUrl }: { version: SchemaVersion; publicUrl: string },
): OpenApi {
  const shown = routes.filter((route) => route.public && (route.since === undefined || route.since <= version));
  const schemas = new SchemaCollector();
  schemas.render(HttpValidationError, 'output');
  schemas.render(Problem, 'output');
  const paths: Record<string, Record<string, Operation>> = {};
  for (const route of shown) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method]: renderOperation(route, schemas) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Tallycard API', version, description },
    servers: [{ url: publicUrl }],
    security: [{ bearerAuth: [] }, { apiKey: [] }],
    tags: [...new Set(shown.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: schemas.components,
      headers: headerComponents,
      securitySchemes,
    },
  };
}
