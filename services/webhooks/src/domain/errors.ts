import { AppError, notFound, unprocessable } from '#platform/errors.ts';

/** At most this many endpoints a merchant. */
export const webhooksMax = 100;

/** Why an endpoint did not prove that it is the merchant's. `status` is the HTTP status of its answer, if it gave one. */
export type VerificationFault =
  | { readonly reason: 'status'; readonly status: number }
  | { readonly reason: 'timeout' | 'refused_address' | 'connection_failed' | 'token_missing' };

const faultTexts: Record<VerificationFault['reason'], string> = {
  status: 'it did not answer with a 2xx status',
  timeout: 'it did not answer in time',
  refused_address: 'its address is private or reserved',
  connection_failed: 'no connection to it could be made',
  token_missing: 'its answer did not hold the token',
};

/** Every refusal of this service. */
export const errors = {
  webhookNotFound: (): AppError => notFound('webhook'),
  merchantMissing: (): AppError => new AppError('unauthenticated', 'unauthorized', 'Webhooks belong to a merchant.'),
  limitReached: (): AppError =>
    new AppError('conflict', 'webhook_limit_reached', `A merchant has at most ${webhooksMax} webhooks.`, {
      limit: webhooksMax,
    }),
  changedMeanwhile: (): AppError =>
    new AppError('conflict', 'conflict', 'The webhook was changed at the same time. Read it and try again.'),
  verificationFailed: (fault: VerificationFault): AppError =>
    new AppError(
      'invalid',
      'verification_failed',
      `The endpoint was not verified: ${faultTexts[fault.reason]}.`,
      fault,
    ),
  /** A URL or secret is not echoed: either may hold credentials. */
  settingRefused: (field: 'url' | 'sharedSecret', why: string): AppError =>
    unprocessable([{ loc: ['body', field], msg: `Value error, ${why}`, type: 'value_error' }]),
  settingsMissing: (): AppError => unprocessable([{ loc: ['body'], msg: 'Field required', type: 'missing' }]),
};
