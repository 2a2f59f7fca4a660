/** How a refusal is classed; fixes the gRPC status and, at the edge, the HTTP status. */
export type ErrorKind =
  | 'invalid'
  | 'unprocessable'
  | 'unauthenticated'
  | 'payment_required'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'rate_limited'
  | 'unavailable';

/** Public members of an error answer besides code and message. */
export type ErrorDetails = Readonly<Record<string, unknown>>;

/**
 * A refusal that the caller may know of. Services throw these from their catalogues (`domain/errors.ts`);
 * anything else that is thrown is a bug, and is logged and masked as `internal`.
 */
export class AppError extends Error {
  override name = 'AppError';
  readonly kind: ErrorKind;
  /** A stable word, such as `insufficient_balance`. */
  readonly code: string;
  /** Public members of the answer. Never a secret or a card number. */
  readonly details: ErrorDetails;

  constructor(kind: ErrorKind, code: string, publicMessage: string, details: ErrorDetails = {}, cause?: unknown) {
    super(publicMessage, cause === undefined ? undefined : { cause });
    this.kind = kind;
    this.code = code;
    this.details = details;
  }
}

/** The record is missing, or is another merchant's: the two look alike. */
export function notFound(what = 'record', code = 'not_found'): AppError {
  return new AppError('not_found', code, `No such ${what}.`);
}

/** A component this request needs does not answer; nothing was changed, or the outcome is unknown and a retry with the same idempotency key is safe. */
export function unavailable(message = 'The service cannot answer now. Try again.', cause?: unknown): AppError {
  return new AppError('unavailable', 'unavailable', message, {}, cause);
}

/** One item of the spec's Validation error body. */
export interface ValidationItem {
  readonly loc: readonly string[];
  readonly msg: string;
  readonly type: string;
  readonly input?: unknown;
  readonly ctx?: Readonly<Record<string, unknown>>;
}

/** A 422 with the spec's Validation error body, for checks that only a service can make. */
export function unprocessable(items: readonly ValidationItem[]): AppError {
  return new AppError('unprocessable', 'validation_error', 'The request is not valid.', { detail: items });
}

const componentErrors = new Set([
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoServerSelectionError',
  'MongoPoolClearedError',
  'MongoNotConnectedError',
  'PoolClearedOnNetworkError',
  'MongooseServerSelectionError',
  'ClientOfflineError',
  'ClientClosedError',
  'DisconnectsClientError',
  'SocketClosedUnexpectedlyError',
  'SocketTimeoutError',
  'CommandTimeoutDuringExecutionError',
  'TimeoutError',
]);

/** MongoDB's MaxTimeMSExpired. */
const tooLong = 50;

/** Whether MongoDB or Redis did not answer, or not in time: the caller may try again, and it is no bug of ours. */
export function isComponentDown(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { name } = error.constructor;
  return componentErrors.has(name) || (name === 'MongoServerError' && (error as { code?: unknown }).code === tooLong);
}
