import { AppError, type ErrorKind, unavailable } from '#platform/errors.ts';

/** A refusal that HTTP knows and {@link AppError} has no kind for. Rendered as problem+json. */
export class HttpRefusal extends Error {
  override name = 'HttpRefusal';
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The rest of the body is not read; the connection ends with the answer. */
  readonly closesConnection: boolean;

  constructor(
    status: number,
    code: string,
    detail: string,
    options: { headers?: Readonly<Record<string, string>>; closesConnection?: boolean } = {},
  ) {
    super(detail);
    this.status = status;
    this.code = code;
    this.headers = options.headers ?? {};
    this.closesConnection = options.closesConnection ?? false;
  }
}

export const statusOfKind: Readonly<Record<ErrorKind, number>> = {
  invalid: 400,
  unprocessable: 422,
  unauthenticated: 401,
  payment_required: 402,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  rate_limited: 429,
  unavailable: 503,
};

/** What the gateway itself refuses with. */
export const refusals = {
  unauthorized: () => new AppError('unauthenticated', 'unauthorized', 'A valid Bearer token is required.'),
  keyFrozen: () => new AppError('payment_required', 'key_frozen', 'The API key is frozen.'),
  missingScope: (scope: string) =>
    new AppError('forbidden', 'forbidden', `The key lacks the scope ${scope}.`, { scope }),
  userOnly: () =>
    new AppError(
      'forbidden',
      'forbidden',
      'Keys are managed with a user access token or an app key, not with an API key.',
      {
        scope: 'user',
      },
    ),
  sessionOnly: () =>
    new AppError('forbidden', 'forbidden', 'This needs the access token of a log-in, not a key.', { scope: 'user' }),
  adminOnly: () =>
    new AppError('forbidden', 'forbidden', 'This needs the access token of an administrator.', { scope: 'admin' }),
  merchantNotFound: () => new AppError('not_found', 'merchant_not_found', 'No such merchant.'),
  cardNotFound: () => new AppError('not_found', 'card_not_found', 'No such card.'),
  /** @param violatedPolicies names of the limits that are used up, as in the `RateLimit` header. */
  rateLimited: (retryAfterSeconds: number, violatedPolicies: readonly string[]) =>
    new AppError('rate_limited', 'rate_limited', `Too many requests. Try again in ${retryAfterSeconds} s.`, {
      retryAfterSeconds,
      violatedPolicies,
    }),
  /** @param retryAfterSeconds until the UTC month ends. */
  monthlyQuotaExceeded: (retryAfterSeconds: number, violatedPolicies: readonly string[]) =>
    new AppError('rate_limited', 'monthly_quota_exceeded', "The API key's calls of this month (UTC) are used up.", {
      retryAfterSeconds,
      violatedPolicies,
    }),
  overloaded: () => unavailable('There are too many requests at the moment. Try again.'),
  routeNotFound: () => new HttpRefusal(404, 'not_found', 'There is nothing at this address.'),
  badAddress: () => new HttpRefusal(400, 'bad_request', 'The address is not a valid URL.'),
  hostMissing: () => new HttpRefusal(400, 'bad_request', 'HTTP/1.1 needs a Host header.', { closesConnection: true }),
  methodNotAllowed: (allow: string) =>
    new HttpRefusal(405, 'method_not_allowed', `This address takes ${allow}.`, { headers: { allow } }),
  expectationFailed: () =>
    new HttpRefusal(417, 'expectation_failed', 'The only expectation that is met is 100-continue.'),
  payloadTooLarge: (bytesMax: number) =>
    new HttpRefusal(413, 'payload_too_large', `The body is larger than ${bytesMax} bytes.`, { closesConnection: true }),
  unsupportedMediaType: (accepted: readonly string[]) =>
    new HttpRefusal(415, 'unsupported_media_type', `The body must be sent as ${accepted.join(' or ')}.`, {
      headers: { accept: accepted.join(', ') },
    }),
} as const;

/** Every `code` that an answer may carry, with its status and when it comes; the OpenAPI document lists them by route. */
export const errorCodes = {
  bad_request: [400, 'The address is not a valid URL, or the request is broken.'],
  invalid_transition: [400, 'The card is in a status that does not allow this; `currentStatus` names it.'],
  invalid_amount: [400, 'The amount is 0 or less.'],
  same_card: [400, 'Source and destination are the same card.'],
  card_not_active: [400, 'A card is not active; `cardId` and `currentStatus` say which.'],
  currency_mismatch: [400, 'The two cards hold different currencies.'],
  insufficient_balance: [400, 'The balance is less than the amount.'],
  balance_limit_exceeded: [400, 'The balance would pass 10,000.00.'],
  refund_exceeds_redemption: [400, 'More than is left of the redemption.'],
  not_refundable: [400, 'The transaction is no redemption.'],
  verification_failed: [400, 'The endpoint did not return the verification token.'],
  disposable_email: [400, 'The address is at a throw-away mail service.'],
  consent_missing: [400, 'A consent time is missing, or in the future.'],
  invalid_country: [400, 'The country is no ISO 3166-1 alpha-2 code.'],
  invalid_code: [400, 'The code is wrong, too old or used.'],
  unauthorized: [401, 'The Bearer token is missing or not valid, or the user is inactive.'],
  invalid_grant: [401, 'Unknown user, wrong password or spent refresh token.'],
  mfa_required: [401, 'A second factor is needed: send `code`.'],
  incorrect_security_code: [401, "The card's security code does not match."],
  key_frozen: [402, 'The API key is frozen. Unfreeze it to go on.'],
  forbidden: [403, 'The key lacks a scope; `scope` names it.'],
  recent_login_required: [403, 'The log-in of this session is older than `maxAgeSeconds`. Log in again.'],
  not_found: [404, 'No such record, or it is not yours.'],
  card_not_found: [404, 'No such gift card in this program.'],
  merchant_not_found: [404, 'No such merchant, or it is not yours.'],
  transaction_not_found: [404, 'No such transaction of this card.'],
  method_not_allowed: [405, 'The address does not take this method; `Allow` lists those it takes.'],
  conflict: [409, 'The record was changed at the same time.'],
  key_not_active: [409, 'The key is frozen or expired; `currentStatus` says which.'],
  mfa_already_enabled: [409, 'MFA is on. Turn it off first.'],
  cannot_deactivate_self: [409, 'Another administrator has to make you inactive.'],
  cannot_reset_own_mfa: [409, 'Turn your own second factor off with a code of it.'],
  key_limit_reached: [409, 'The merchant has as many keys as it may; `max` says how many.'],
  program_limit_reached: [409, 'The merchant has as many programs as it may; `max` says how many.'],
  rule_limit_reached: [409, 'The program has as many rules as it may; `max` says how many.'],
  template_limit_reached: [409, 'The merchant has as many templates as it may; `max` says how many.'],
  webhook_limit_reached: [409, 'The merchant has as many webhooks as it may; `limit` says how many.'],
  card_locked: [409, 'Another operation holds the card. Try again after `Retry-After`.'],
  idempotency_in_progress: [409, 'The first request with this key is still running.'],
  request_timeout: [408, 'The request did not arrive in time.'],
  payload_too_large: [413, 'The body is larger than 1 MiB.'],
  unsupported_media_type: [415, 'The body is not JSON.'],
  expectation_failed: [417, '`Expect` asks for something else than `100-continue`.'],
  rate_limited: [429, 'Too many requests. Try again after `Retry-After`.'],
  monthly_quota_exceeded: [
    429,
    "The API key's calls of this UTC month are used up. `Retry-After` lasts until it ends.",
  ],
  security_code_locked: [429, 'Too many wrong security codes. Try again after `Retry-After`.'],
  headers_too_large: [431, 'Address and headers are larger than 16 KiB.'],
  internal: [500, 'A fault of ours.'],
  unavailable: [503, 'A part of the service does not answer. Try again after `Retry-After`.'],
} as const satisfies Record<string, readonly [status: number, description: string]>;

export type ErrorCode = keyof typeof errorCodes;
