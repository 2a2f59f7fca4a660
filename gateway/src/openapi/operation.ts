import { STATUS_CODES } from 'node:http';
import type { z } from 'zod';
import { type ErrorCode, errorCodes } from '../errors.ts';
import { policyName } from '../limits/request-limits.ts';
import type { Route } from '../routes/route.ts';
import { HttpValidationError, Problem } from '../schemas/common.ts';
import { exampleOf } from './example.ts';
import { type HeaderName, headerRefs } from './headers.ts';
import type { JsonSchema, SchemaCollector } from './json-schema.ts';

/** An operation object. */
export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, Response>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
}

interface MediaType {
  readonly schema: JsonSchema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;
}

type Content = Readonly<Record<string, MediaType>>;

interface Response {
  readonly description: string;
  readonly headers: Readonly<Record<string, { readonly $ref: string }>>;
  readonly content: Content;
}

const requestIdParameter: Parameter = {
  name: 'X-Request-Id',
  in: 'header',
  required: false,
  description: 'Taken as the request id, and answered.',
  schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,128}$' },
};

const limitHeaderNames: readonly HeaderName[] = [
  'RateLimit-Policy',
  'RateLimit',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
];

const mediaTypes = { json: 'application/json', form: 'application/x-www-form-urlencoded' } as const;

export function renderOperation(route: Route, schemas: SchemaCollector): Operation {
  const { params, query, headers, body } = route.request;
  const description = describe(route);
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    ...(description !== '' && { description }),
    ...(route.auth === 'none' && { security: [] }),
    parameters: [
      ...parametersOf(params, 'path', schemas),
      ...parametersOf(query, 'query', schemas),
      ...parametersOf(headers, 'header', schemas),
      requestIdParameter,
    ],
    ...(body !== undefined && { requestBody: requestBody(route, body, schemas) }),
    responses: { ...successes(route, schemas), ...failures(route, schemas) },
  };
}

function describe({ description, scope, limits }: Route): string {
  const parts = [
    description ?? '',
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

function successes(route: Route, schemas: SchemaCollector): Record<string, Response> {
  const usual = success(route, schemas);
  const { status, repeated } = route.success;
  return { ...(repeated !== undefined && { 200: { ...usual, description: repeated } }), [status]: usual };
}

function success(route: Route, schemas: SchemaCollector): Response {
  const schema = schemas.render(route.success.schema, 'output');
  const limits = route.unlimited ? [] : limitHeaderNames;
  return {
    description: route.success.description,
    headers: headerRefs(['X-Request-Id', ...(route.success.headers ?? []), ...limits]),
    content: {
      [route.success.contentType ?? 'application/json']: { schema, example: exampleOf(schema, schemas.components) },
    },
  };
}

/** The codes of a route: those declared, and those that follow from what it takes. */
function codesOf({ request, auth, scope, unlimited, errors }: Route): Set<ErrorCode> {
  return new Set<ErrorCode>([
    ...errors,
    ...(auth === 'none' ? [] : (['unauthorized', 'key_frozen'] as const)),
    ...(scope !== undefined || ['user', 'session', 'admin'].includes(auth) ? (['forbidden'] as const) : []),
    ...(request.body === undefined ? [] : (['payload_too_large', 'unsupported_media_type'] as const)),
    ...(unlimited ? [] : (['rate_limited'] as const)),
    ...(auth === 'bearer' ? (['monthly_quota_exceeded'] as const) : []),
    'internal',
    'unavailable',
  ]);
}

function failures(route: Route, schemas: SchemaCollector): Record<string, Response> {
  const byStatus = Map.groupBy(codesOf(route), (code) => errorCodes[code][0]);
  const rendered = [...byStatus].map(([status, codes]): [string, Response] => [
    String(status),
    problemResponse(status, codes, schemas),
  ]);
  if (Object.keys(route.request).length > 0) rendered.push(['422', validationResponse(schemas)]);
  return Object.fromEntries(rendered);
}

function problemResponse(status: number, codes: readonly ErrorCode[], schemas: SchemaCollector): Response {
  const examples = codes.map((code) => [
    code,
    {
      summary: errorCodes[code][1],
      value: {
        type: 'about:blank',
        title: STATUS_CODES[status],
        status,
        detail: errorCodes[code][1],
        code,
        requestId: '0b9f2d1e-6c1d-4a55-9d0c-5c7a2f0f1a11',
      },
    },
  ]);
  return {
    description: codes.map((code) => `\`${code}\`: ${errorCodes[code][1]}`).join(' '),
    headers: headerRefs(['X-Request-Id', ...headersOfStatus(status, codes)]),
    content: {
      'application/problem+json': { schema: schemas.render(Problem, 'output'), examples: Object.fromEntries(examples) },
    },
  };
}

function headersOfStatus(status: number, codes: readonly ErrorCode[]): HeaderName[] {
  // What is not even limited has no refusals of its own.
  const limits = status < 500 ? limitHeaderNames : [];
  if (status === 401) return ['WWW-Authenticate', ...limits];
  if (status === 429 || status === 503 || codes.includes('card_locked')) return ['Retry-After', ...limits];
  return [...limits];
}

function validationResponse(schemas: SchemaCollector): Response {
  const schema = schemas.render(HttpValidationError, 'output');
  return {
    description: 'The request is not valid; every fault is named.',
    headers: headerRefs(['X-Request-Id', ...limitHeaderNames]),
    content: { 'application/json': { schema, example: exampleOf(schema, schemas.components) } },
  };
}
