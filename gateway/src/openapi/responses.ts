import { type ErrorCode, errorCodes } from '../errors.ts';
import { isStorable, type Route } from '../routes/route.ts';
import { HttpValidationError, Problem } from '../schemas/common.ts';
import { exampleOf } from './example.ts';
import { type HeaderName, headerRefs, optionalHeaders } from './headers.ts';
import type { JsonSchema, SchemaCollector } from './json-schema.ts';
import { problemExample } from './problem-example.ts';
import { validationExample } from './validation-example.ts';

export interface MediaType {
  readonly schema: JsonSchema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;
}

export type Content = Readonly<Record<string, MediaType>>;

export interface Response {
  readonly description: string;
  readonly headers: Readonly<Record<string, { readonly $ref: string } | { readonly required?: boolean }>>;
  /** None when the answer has no body. */
  readonly content?: Content;
}

const limitHeaders: readonly HeaderName[] = [
  'RateLimit-Policy',
  'RateLimit',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
];

const cacheHeaders: readonly HeaderName[] = ['ETag', 'Vary', 'Cache-Control'];

/** What the edge may answer to any request that it cannot read. */
const edgeCodes: readonly ErrorCode[] = ['request_timeout', 'expectation_failed', 'headers_too_large'];

/** Every answer of a route, by status. */
export function renderResponses(route: Route, schemas: SchemaCollector): Record<string, Response> {
  const byStatus = Map.groupBy(codesOf(route), (code) => errorCodes[code][0]);
  const failures = [...byStatus].map(([status, codes]): [string, Response] => [
    String(status),
    problemResponse(route, codes, schemas, headersOfStatus(status, codes)),
  ]);
  return {
    ...successes(route, schemas),
    ...(isStorable(route) && { 304: notModified(route) }),
    ...Object.fromEntries(failures),
    ...(Object.keys(route.request).length > 0 && { 422: invalid(route, schemas) }),
    default: problemResponse(route, edgeCodes, schemas, {}),
  };
}

const limitHeadersOf = ({ unlimited }: Route) => (unlimited ? [] : limitHeaders);

function successes(route: Route, schemas: SchemaCollector): Record<string, Response> {
  const usual = success(route, schemas);
  const others = Object.entries(route.success.others ?? {}).map(([status, description]) => [
    status,
    { ...usual, description },
  ]);
  return { ...Object.fromEntries(others), [route.success.status]: usual };
}

function success(route: Route, schemas: SchemaCollector): Response {
  const { success: given } = route;
  const caching = isStorable(route) ? cacheHeaders : [];
  const head = {
    description: given.description,
    headers: headerRefs(['X-Request-Id', ...(given.headers ?? []), ...caching, ...limitHeadersOf(route)]),
  };
  if (given.status === 204) return head;
  const schema = schemas.render(given.schema, 'output');
  return {
    ...head,
    content: { [given.contentType ?? 'application/json']: { schema, example: exampleOf(schema, schemas.components) } },
  };
}

const notModified = (route: Route): Response => ({
  description: 'The answer is the one whose `ETag` the request gave in `If-None-Match`.',
  headers: headerRefs(['X-Request-Id', ...cacheHeaders, ...limitHeadersOf(route)]),
});

/** The codes of a route: those declared, and those that follow from what it takes. */
function codesOf({ request, auth, scope, unlimited, errors }: Route): Set<ErrorCode> {
  return new Set<ErrorCode>([
    ...errors,
    ...(request.params === undefined ? [] : (['bad_request'] as const)),
    ...(auth === 'none' ? [] : (['unauthorized', 'key_frozen'] as const)),
    ...(scope !== undefined || ['user', 'session', 'admin'].includes(auth) ? (['forbidden'] as const) : []),
    ...(request.body === undefined ? [] : (['payload_too_large', 'unsupported_media_type'] as const)),
    ...(unlimited ? [] : (['rate_limited'] as const)),
    ...(auth === 'bearer' ? (['monthly_quota_exceeded'] as const) : []),
    'internal',
    'unavailable',
  ]);
}

function problemResponse(
  { scope }: Route,
  codes: readonly ErrorCode[],
  schemas: SchemaCollector,
  headers: Response['headers'],
): Response {
  const examples = codes.map((code) => [code, problemExample(code, scope ?? 'user')]);
  return {
    description: codes.map((code) => `\`${code}\`: ${errorCodes[code][1]}`).join(' '),
    headers: { ...headerRefs(['X-Request-Id']), ...headers },
    content: {
      'application/problem+json': { schema: schemas.render(Problem, 'output'), examples: Object.fromEntries(examples) },
    },
  };
}

function headersOfStatus(status: number, codes: readonly ErrorCode[]): Response['headers'] {
  // What is not even limited has no refusals of its own.
  const limits = status < 500 ? limitHeaders : [];
  // An address that cannot be read is refused before anything is counted.
  if (codes.includes('bad_request')) return optionalHeaders(limits);
  if (status === 401) return headerRefs(['WWW-Authenticate', ...limits]);
  if (status === 415) return headerRefs(['Accept', ...limits]);
  const mayPass = status === 429 || status === 503 || codes.includes('card_locked');
  return headerRefs([...(mayPass ? (['Retry-After'] as const) : []), ...limits]);
}

function invalid(route: Route, schemas: SchemaCollector): Response {
  return {
    description: 'The request is not valid; every fault is named.',
    headers: headerRefs(['X-Request-Id', ...limitHeadersOf(route)]),
    content: {
      'application/json': {
        schema: schemas.render(HttpValidationError, 'output'),
        example: validationExample(route.request),
      },
    },
  };
}
