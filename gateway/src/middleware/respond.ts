import { type ServerResponse, STATUS_CODES } from 'node:http';
import { AppError, type ValidationItem } from '#platform/errors.ts';
import { HttpRefusal, statusOfKind } from '../errors.ts';

// helmet's main headers; the API serves no page but /docs, which brings a policy of its own.
const securityHeaders = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
} as const;

/** What an answer carries besides its body. */
export type Headers = Readonly<Record<string, string>>;

/** Sends a whole answer at once. `headers` win over the usual ones. */
export function send(
  response: ServerResponse,
  requestId: string,
  status: number,
  contentType: string,
  body: string,
  headers?: Headers,
): void {
  response.writeHead(status, {
    ...securityHeaders,
    'X-Request-Id': requestId,
    'Content-Type': contentType,
    'Content-Length': Buffer.byteLength(body),
    ...headers,
  });
  response.end(body);
}

export function sendJson(
  response: ServerResponse,
  requestId: string,
  status: number,
  body: unknown,
  headers?: Headers,
) {
  send(response, requestId, status, 'application/json', JSON.stringify(body), headers);
}

/** How an error is answered; undefined when it is a bug. */
interface Rendered {
  readonly status: number;
  readonly contentType: string;
  readonly body: unknown;
  readonly headers: Headers;
}

/** Answers an error: the Validation error body for 422, problem+json (RFC 9457) for everything else. */
export function sendError(response: ServerResponse, requestId: string, error: unknown, headers: Headers = {}): void {
  const rendered = render(error, requestId);
  send(response, requestId, rendered.status, rendered.contentType, JSON.stringify(rendered.body), {
    ...headers,
    ...rendered.headers,
  });
}

/** Whether an error is a refusal that the caller may know of. */
export const isRefusal = (error: unknown): error is AppError | HttpRefusal =>
  error instanceof AppError || error instanceof HttpRefusal;

function render(error: unknown, requestId: string): Rendered {
  if (error instanceof AppError) {
    if (error.kind === 'unprocessable') {
      // Services leave `input` out where it might be a secret; the body's shape stays the same.
      const items = error.details.detail as readonly ValidationItem[];
      const detail = items.map((item) => ({ ...item, input: item.input ?? null }));
      return { status: 422, contentType: 'application/json', body: { detail }, headers: {} };
    }
    return problem(statusOfKind[error.kind], error.code, error.message, requestId, error.details, headersOf(error));
  }
  if (error instanceof HttpRefusal) {
    const closing: Headers = error.closesConnection ? { Connection: 'close' } : {};
    return problem(error.status, error.code, error.message, requestId, {}, { ...error.headers, ...closing });
  }
  return problem(500, 'internal', 'Something went wrong on our side. It has been logged.', requestId, {}, {});
}

function headersOf({ kind, code, details }: AppError): Headers {
  if (kind === 'unauthenticated') return { 'WWW-Authenticate': 'Bearer' };
  const { retryAfterSeconds } = details;
  if (typeof retryAfterSeconds === 'number')
    return { 'Retry-After': String(Math.max(1, Math.ceil(retryAfterSeconds))) };
  if (kind === 'unavailable' || code === 'card_locked' || code === 'idempotency_in_progress')
    return { 'Retry-After': '1' };
  return {};
}

function problem(
  status: number,
  code: string,
  detail: string,
  requestId: string,
  details: Readonly<Record<string, unknown>>,
  headers: Headers,
): Rendered {
  // `status` is the HTTP status in a problem (RFC 9457); a record's own status goes by another name.
  const { status: currentStatus, ...rest } = details;
  const body = {
    ...rest,
    ...(currentStatus !== undefined && { currentStatus }),
    type: 'about:blank',
    title: STATUS_CODES[status],
    status,
    detail,
    code,
    requestId,
  };
  return { status, contentType: 'application/problem+json', body, headers };
}
