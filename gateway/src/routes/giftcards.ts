import { z } from 'zod';
import { AppError } from '#platform/errors.ts';
import type { Context } from '../context.ts';
import {
  checkCustomerBalance,
  checkCustomerBalanceShapes,
  checkProgramBalance,
  checkProgramBalanceShapes,
} from '../handlers/giftcards/check-balance.ts';
import { getCard, getCardShapes } from '../handlers/giftcards/get-card.ts';
import { issueCard, issueCardShapes } from '../handlers/giftcards/issue-card.ts';
import { listCards, listCardsShapes } from '../handlers/giftcards/list-cards.ts';
import { listTransactions, listTransactionsShapes } from '../handlers/giftcards/list-transactions.ts';
import { lookUpCard, lookUpCardShapes } from '../handlers/giftcards/look-up-card.ts';
import {
  BalanceCheckResponse,
  GiftCardDetailResponse,
  GiftCardResponse,
  IssuedGiftCardResponse,
  TransactionResponse,
} from '../schemas/giftcard-responses.ts';
import { type Route, route } from './route.ts';

const common = { tag: 'Gift cards', public: true } as const;
const cards = '/v2/giftcards/programs/:programId/cards';

/** Whose program it is. */
async function merchantOf(programId: string, { services, caller }: Context): Promise<string> {
  return (await services.programs.resolve(programId, caller)).merchantId;
}

/** A program that is not there counts against nobody; its cards are not there either. */
function nobodyIfMissing(error: unknown): undefined {
  if (!(error instanceof AppError) || error.kind !== 'not_found') throw error;
}

export const giftcardRoutes: readonly Route[] = [
  route({
    ...common,
    method: 'post',
    path: cards,
    operationId: 'issueGiftCard',
    summary: 'Issue a pending gift card',
    description: 'Its balance is zero until it is activated.',
    auth: 'bearer',
    scope: 'giftcards:write',
    request: issueCardShapes,
    success: {
      status: 201,
      schema: IssuedGiftCardResponse,
      description: 'The card, with its security code, which is shown this once.',
      headers: ['Idempotency-Replayed'],
    },
    errors: ['not_found', 'merchant_not_found', 'idempotency_in_progress'],
    handler: issueCard,
  }),
  route({
    ...common,
    method: 'get',
    path: cards,
    operationId: 'listGiftCards',
    summary: 'List gift cards',
    auth: 'bearer',
    scope: 'giftcards:read',
    request: listCardsShapes,
    success: {
      status: 200,
      schema: z.array(GiftCardResponse),
      description: 'The cards, newest first.',
      headers: ['X-Total-Count', 'Link'],
    },
    errors: ['not_found', 'merchant_not_found'],
    handler: listCards,
  }),
  // Before the cards themselves: `lookup` is no card id.
  route({
    ...common,
    method: 'get',
    path: `${cards}/lookup`,
    operationId: 'lookUpGiftCard',
    summary: 'Find a gift card by its number',
    description: 'A number of no card of this program, one with a wrong check digit too, is `card_not_found`.',
    since: '1.0.2',
    auth: 'bearer',
    scope: 'giftcards:read',
    request: lookUpCardShapes,
    success: { status: 200, schema: GiftCardResponse, description: 'The card.' },
    errors: ['not_found', 'card_not_found'],
    handler: lookUpCard,
  }),
  route({
    ...common,
    method: 'get',
    path: `${cards}/:cardId`,
    operationId: 'getGiftCard',
    summary: 'Get a gift card',
    auth: 'bearer',
    scope: 'giftcards:read',
    request: getCardShapes,
    success: { status: 200, schema: GiftCardDetailResponse, description: 'The card.' },
    errors: ['not_found', 'card_not_found'],
    handler: getCard,
  }),
  route({
    ...common,
    method: 'get',
    path: `${cards}/:cardId/transactions`,
    operationId: 'listGiftCardTransactions',
    summary: "List a gift card's transactions",
    auth: 'bearer',
    scope: 'giftcards:read',
    request: listTransactionsShapes,
    success: {
      status: 200,
      schema: z.array(TransactionResponse),
      description: 'The ledger entries, newest first.',
      headers: ['X-Total-Count', 'Link'],
    },
    errors: ['not_found', 'card_not_found'],
    handler: listTransactions,
  }),
  route({
    ...common,
    method: 'post',
    path: '/v2/giftcards/programs/:programId/balance-check',
    operationId: 'checkProgramBalance',
    summary: "A card's balance by number and security code, in one program",
    auth: 'none',
    limits: [
      { limit: 'balanceCheckPerIp' },
      {
        limit: 'balanceCheckPerMerchant',
        subject: ({ params }, context) => merchantOf(params.programId, context),
      },
    ],
    request: checkProgramBalanceShapes,
    success: { status: 200, schema: BalanceCheckResponse, description: 'The balance.' },
    errors: ['not_found', 'card_not_found', 'security_code_locked'],
    handler: checkProgramBalance,
  }),
  route({
    ...common,
    method: 'post',
    path: '/v2/giftcards/customer/balance-check',
    operationId: 'checkCustomerBalance',
    summary: "A card's balance by number and security code, in any program",
    auth: 'none',
    limits: [
      { limit: 'balanceCheckPerIp' },
      {
        limit: 'balanceCheckPerMerchant',
        subject: ({ query }, context) =>
          query.programId === undefined ? undefined : merchantOf(query.programId, context).catch(nobodyIfMissing),
      },
      {
        // Whose card it is, is known when it is found; counted then, a 429 would tell that the number is a card's.
        limit: 'balanceCheckAnyProgram',
        subject: ({ query }) => (query.programId === undefined ? 'any' : undefined),
      },
    ],
    request: checkCustomerBalanceShapes,
    success: { status: 200, schema: BalanceCheckResponse, description: 'The balance.' },
    errors: ['card_not_found', 'security_code_locked'],
    handler: checkCustomerBalance,
  }),
];
