import { STATUS_CODES } from 'node:http';
import { AppError, type ValidationItem } from '#platform/errors.ts';
import { HttpRefusal, statusOfKind } from '../errors.ts';

type Headers = Readonly<Record<string, string>>;

/** How an error is answered. */
interface Rendered {
  readonly status: number;
  readonly contentType: string;
  readonly body: unknown;
  readonly headers: Headers;
}

/** Renders an error: the Validation error body for 422, problem+json (RFC 9457) for everything else. */
export function renderError(error: unknown, requestId: string): Rendered {
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
