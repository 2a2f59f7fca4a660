import { AppError, notFound, unavailable, unprocessable } from '#platform/errors.ts';
import type { Card } from './card.ts';
import { balanceMinorMax, type Minor, toDecimal } from './money.ts';

/** Every refusal of this service. The code is a contract; the text may change. */
export const refusal = {
  cardNotFound: (which = 'card') => notFound(which, 'card_not_found'),
  transactionNotFound: () => notFound('transaction on this card', 'transaction_not_found'),
  sameCard: () => new AppError('invalid', 'same_card', 'Source and destination are the same card.'),
  invalidAmount: () => new AppError('invalid', 'invalid_amount', 'The amount must be more than zero.'),
  cardLocked: () =>
    new AppError('conflict', 'card_locked', 'The card is locked by another operation. Try again.', {
      retryAfterSeconds: 1,
    }),
  codeLocked: (retryAfterSeconds: number) =>
    new AppError('rate_limited', 'security_code_locked', 'Too many wrong security codes for this card.', {
      retryAfterSeconds,
    }),
  incorrectCode: () => new AppError('unauthenticated', 'incorrect_security_code', 'The security code is not right.'),
  cardNotActive: (card: Card) =>
    new AppError('invalid', 'card_not_active', `The card is ${card.status}, not active.`, {
      cardId: card.id,
      status: card.status,
    }),
  invalidTransition: (card: Card, move: string) =>
    new AppError('invalid', 'invalid_transition', `A card that is ${card.status} cannot be ${move}.`, {
      cardId: card.id,
      status: card.status,
    }),
  insufficientBalance: (card: Card) =>
    new AppError('invalid', 'insufficient_balance', 'The balance is less than the amount.', {
      cardId: card.id,
      balance: toDecimal(card.balanceMinor),
    }),
  balanceLimitExceeded: (card: Card, amountMinor: Minor) =>
    new AppError('invalid', 'balance_limit_exceeded', 'The balance would pass the limit.', {
      cardId: card.id,
      currentBalance: toDecimal(card.balanceMinor),
      reloadAmount: toDecimal(amountMinor),
      maxBalance: toDecimal(balanceMinorMax),
      availableReloadAmount: toDecimal(balanceMinorMax - card.balanceMinor),
    }),
  currencyMismatch: () =>
    new AppError('invalid', 'currency_mismatch', 'Source and destination cards hold different currencies.'),
  notRefundable: () =>
    new AppError('invalid', 'not_refundable', 'Only redemptions can be refunded, once in full or in parts.'),
  refundExceedsRedemption: (refundableMinor: Minor) =>
    new AppError('invalid', 'refund_exceeds_redemption', 'The refund is more than what is left of the redemption.', {
      refundableAmount: toDecimal(refundableMinor),
    }),
  idempotencyInProgress: () =>
    new AppError(
      'conflict',
      'idempotency_in_progress',
      'The first request with this idempotency key is still running.',
      {
        retryAfterSeconds: 1,
      },
    ),
  idempotencyMismatch: () =>
    unprocessable([
      {
        loc: ['header', 'idempotency-key'],
        msg: 'The idempotency key was used before with another request',
        type: 'idempotency_key_reused',
      },
    ]),
  invalidExpiry: (message: string) =>
    unprocessable([
      { loc: ['body', 'expiresAt'], msg: `Value error, ${message}`, type: 'value_error', ctx: { error: message } },
    ]),
  overloaded: () => unavailable('Too many operations are waiting. Try again.'),
  outcomeUnknown: (cause: unknown) =>
    unavailable('The outcome is not known. Repeat the request with the same idempotency key.', cause),
};
