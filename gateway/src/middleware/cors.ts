import type { IncomingHttpHeaders } from 'node:http';

type Headers = Readonly<Record<string, string>>;

/** Which origins' scripts may read answers: all, or exactly those named; none named closes the API to browsers. */
export type CorsOrigins = '*' | readonly string[];

const preflightSecondsMax = 7_200;
const allowedHeaders = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-None-Match',
  'Accept-Language',
  'X-Request-Id',
].join(', ');
const exposedHeaders = [
  'ETag',
  'Idempotency-Replayed',
  'Link',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'WWW-Authenticate',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
  'X-Total-Count',
].join(', ');
const nothing: Headers = {};

/**
 * CORS (Fetch standard). Credentials are Bearer tokens that a script sends itself, so cookies and their
 * `Access-Control-Allow-Credentials` are never allowed.
 */
export class CorsPolicy {
  readonly #byOrigin: ReadonlyMap<string, Headers>;
  readonly #everyone: Headers | undefined;
  /** Whether answers differ by origin, and so must say `Vary: Origin`. */
  readonly variesByOrigin: boolean;

  constructor(origins: CorsOrigins) {
    const headersFor = (origin: string): Headers => ({
      'Access-Control-Allow-Origin': origin,
      'Access-Control-Expose-Headers': exposedHeaders,
    });
    this.#everyone = origins === '*' ? headersFor('*') : undefined;
    this.#byOrigin = new Map(origins === '*' ? [] : origins.map((origin) => [origin, headersFor(origin)]));
    this.variesByOrigin = this.#byOrigin.size > 0;
  }

  /** What every answer to such a request carries, errors too. */
  headersFor({ origin }: IncomingHttpHeaders): Headers {
    if (origin === undefined) return nothing;
    return this.#everyone ?? this.#byOrigin.get(origin) ?? nothing;
  }

  /** What the answer to a preflight carries besides; nothing when it is none, or of an origin that is not let in. */
  preflightHeaders(headers: IncomingHttpHeaders, methods: string): Headers {
    if (headers['access-control-request-method'] === undefined) return nothing;
    if (this.headersFor(headers) === nothing) return nothing;
    return {
      'Access-Control-Allow-Methods': methods,
      'Access-Control-Allow-Headers': allowedHeaders,
      'Access-Control-Max-Age': String(preflightSecondsMax),
    };
  }
}
