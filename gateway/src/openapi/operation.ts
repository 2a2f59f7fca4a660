import type { z } from 'zod';
import { policyName } from '../limits/request-limits.ts';
import { isStorable, type Route } from '../routes/route.ts';
import { exampleOf } from './example.ts';
import type { JsonSchema, SchemaCollector } from './json-schema.ts';
import { type Content, type Response, renderResponses } from './responses.ts';
import { securityOf } from './security.ts';

/** An operation object. */
export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, Response>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

const requestIdParameter: Parameter = {
  name: 'X-Request-Id',
  in: 'header',
  required: false,
  description: 'Taken as the request id, and answered; one is made when it does not match.',
  schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,128}$' },
  example: 'till-7-0042',
};

const ifNoneMatchParameter: Parameter = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'The `ETag` of an answer that the client has: 304 while it still holds.',
  schema: { type: 'string' },
  example: 'W/"2jmj7l5rSw0yVb_vlWAYkK_YBwk"',
};

const mediaTypes = { json: 'application/json', form: 'application/x-www-form-urlencoded' } as const;

export function renderOperation(route: Route, schemas: SchemaCollector): Operation {
  const { params, query, headers, body } = route.request;
  const description = describe(route);
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    ...(description !== '' && { description }),
    security: securityOf(route),
    parameters: [
      ...parametersOf(params, 'path', schemas),
      ...parametersOf(query, 'query', schemas),
      ...parametersOf(headers, 'header', schemas),
      ...(isStorable(route) ? [ifNoneMatchParameter] : []),
      requestIdParameter,
    ],
    ...(body !== undefined && { requestBody: requestBody(route, body, schemas) }),
    responses: renderResponses(route, schemas),
  };
}

const audiences: Readonly<Record<Route['auth'], string>> = {
  none: '',
  bearer: '',
  user: 'For access tokens and app keys, not for API keys.',
  session: 'For access tokens, not for keys of any kind.',
  admin: 'For access tokens of administrators.',
};

function describe({ description, auth, scope, limits }: Route): string {
  const parts = [
    description ?? '',
    audiences[auth],
    scope === undefined ? '' : `An API key needs the scope \`${scope}\`.`,
    limits === undefined ? '' : `Limited besides: ${limits.map(({ limit }) => `\`${policyName(limit)}\``).join(', ')}.`,
  ];
  return parts.filter((part) => part !== '').join(' ');
}

function parametersOf(shape: z.ZodType | undefined, place: Parameter['in'], schemas: SchemaCollector): Parameter[] {
  if (shape === undefined) return [];
  const { properties = {}, required = [] } = schemas.render(shape, 'input');
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name: place === 'header' ? headerCase(name) : name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(description !== undefined && { description }),
    schema,
    ...(schema.examples !== undefined && { example: schema.examples[0] }),
  }));
}

const headerCase = (name: string) =>
  name.replace(/(^|-)([a-z])/g, (_match, dash: string, letter: string) => `${dash}${letter.toUpperCase()}`);

function requestBody(route: Route, body: z.ZodType, schemas: SchemaCollector) {
  const schema = schemas.render(body, 'input');
  const media = { schema, example: exampleOf(schema, schemas.components) };
  const types = route.bodyTypes ?? ['json'];
  return {
    required: route.bodyOptional !== true,
    content: Object.fromEntries(types.map((type) => [mediaTypes[type], media])),
  };
}
