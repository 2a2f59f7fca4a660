import { activateCard, activateCardShapes } from '../handlers/giftcards/activate-card.ts';
import { redeemCard, redeemCardShapes } from '../handlers/giftcards/redeem-card.ts';
import { refundTransaction, refundTransactionShapes } from '../handlers/giftcards/refund-transaction.ts';
import { reloadCard, reloadCardShapes } from '../handlers/giftcards/reload-card.ts';
import { suspendCard, suspendCardShapes } from '../handlers/giftcards/suspend-card.ts';
import { transferBalance, transferBalanceShapes } from '../handlers/giftcards/transfer-balance.ts';
import { unsuspendCard, unsuspendCardShapes } from '../handlers/giftcards/unsuspend-card.ts';
import { voidCard, voidCardShapes } from '../handlers/giftcards/void-card.ts';
import {
  ExpiredCardProcessingResponse,
  GiftCardResponse,
  RedeemResponse,
  RefundResponse,
  TransferBalanceResponse,
} from '../schemas/giftcard-responses.ts';
import { type Route, route } from './route.ts';

const common = { method: 'post', tag: 'Gift cards', public: true, auth: 'bearer' } as const;
const card = '/v2/giftcards/programs/:programId/cards/:cardId';
const moveErrors = ['not_found', 'card_not_found', 'card_locked', 'idempotency_in_progress'] as const;
const headers = ['Idempotency-Replayed'] as const;

/** The operations that change a card. */
export const giftcardMoveRoutes: readonly Route[] = [
  route({
    ...common,
    path: `${card}/activate`,
    operationId: 'activateGiftCard',
    summary: 'Activate a pending gift card and load its value',
    scope: 'giftcards:write',
    request: activateCardShapes,
    bodyOptional: true,
    success: { status: 200, schema: GiftCardResponse, description: 'The card, active.', headers },
    errors: [...moveErrors, 'invalid_transition', 'incorrect_security_code', 'security_code_locked'],
    handler: activateCard,
  }),
  route({
    ...common,
    path: `${card}/reload`,
    operationId: 'reloadGiftCard',
    summary: 'Add to an active gift card',
    scope: 'giftcards:write',
    request: reloadCardShapes,
    success: { status: 200, schema: GiftCardResponse, description: 'The card, with its new balance.', headers },
    errors: [...moveErrors, 'invalid_transition', 'balance_limit_exceeded'],
    handler: reloadCard,
  }),
  route({
    ...common,
    path: `${card}/redeem`,
    operationId: 'redeemGiftCard',
    summary: 'Spend from a gift card',
    scope: 'giftcards:redeem',
    request: redeemCardShapes,
    success: { status: 200, schema: RedeemResponse, description: 'It is spent.', headers },
    errors: [...moveErrors, 'card_not_active', 'insufficient_balance'],
    handler: redeemCard,
  }),
  route({
    ...common,
    path: `${card}/transactions/:transactionId/refund`,
    operationId: 'refundGiftCardTransaction',
    summary: 'Refund a redemption, or a part of it',
    description: 'Without `amount`, what is left of the redemption.',
    scope: 'giftcards:write',
    request: refundTransactionShapes,
    success: { status: 200, schema: RefundResponse, description: 'It is refunded.', headers },
    errors: [
      ...moveErrors,
      'transaction_not_found',
      'invalid_transition',
      'not_refundable',
      'refund_exceeds_redemption',
      'balance_limit_exceeded',
    ],
    handler: refundTransaction,
  }),
  route({
    ...common,
    path: `${card}/suspend`,
    operationId: 'suspendGiftCard',
    summary: 'Suspend a gift card',
    scope: 'giftcards:write',
    request: suspendCardShapes,
    success: { status: 200, schema: GiftCardResponse, description: 'The card, suspended.' },
    errors: ['not_found', 'card_not_found', 'card_locked', 'invalid_transition'],
    handler: suspendCard,
  }),
  route({
    ...common,
    path: `${card}/unsuspend`,
    operationId: 'unsuspendGiftCard',
    summary: "Lift a gift card's suspension",
    scope: 'giftcards:write',
    request: unsuspendCardShapes,
    bodyOptional: true,
    success: { status: 200, schema: GiftCardResponse, description: 'The card, active again.' },
    errors: ['not_found', 'card_not_found', 'card_locked', 'invalid_transition'],
    handler: unsuspendCard,
  }),
  route({
    ...common,
    path: `${card}/void`,
    operationId: 'voidGiftCard',
    summary: 'Void a gift card',
    description: 'Its balance goes to zero, for good.',
    scope: 'giftcards:write',
    request: voidCardShapes,
    success: { status: 200, schema: ExpiredCardProcessingResponse, description: 'It is voided.', headers },
    errors: [...moveErrors, 'invalid_transition'],
    handler: voidCard,
  }),
  route({
    ...common,
    path: `${card}/transfer`,
    operationId: 'transferGiftCardBalance',
    summary: "Move a part of a gift card's balance to another card of the program",
    scope: 'giftcards:write',
    request: transferBalanceShapes,
    success: { status: 200, schema: TransferBalanceResponse, description: 'It is transferred.', headers },
    errors: [
      ...moveErrors,
      'same_card',
      'invalid_amount',
      'security_code_locked',
      'incorrect_security_code',
      'card_not_active',
      'currency_mismatch',
      'insufficient_balance',
      'balance_limit_exceeded',
    ],
    handler: transferBalance,
  }),
];
