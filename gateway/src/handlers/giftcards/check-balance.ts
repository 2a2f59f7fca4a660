import type { CheckBalanceRequest } from '#proto/giftcards/v1/giftcards.ts';
import type { Context } from '../../context.ts';
import { refusals } from '../../errors.ts';
import type { Handler } from '../../routes/route.ts';
import { BalanceCheckRequest, CardQuery, CustomerBalanceCheckQuery } from '../../schemas/giftcard-requests.ts';
import type { BalanceCheckResponse } from '../../schemas/giftcard-responses.ts';
import { ProgramPath } from '../../schemas/loyalty.ts';
import { formatMinorUnits } from '../../validation/decimal.ts';
import { isoAlways } from '../render.ts';
import type { CardStatus } from './card-view.ts';

export const checkProgramBalanceShapes = { params: ProgramPath, query: CardQuery, body: BalanceCheckRequest };

/** The balance of a card of one program, for whoever has its number and code. */
export const checkProgramBalance: Handler<typeof checkProgramBalanceShapes, typeof BalanceCheckResponse> = async (
  { params, query, body },
  context,
) => {
  const program = await context.services.programs.resolve(params.programId, context.caller);
  return check({ ...credentials(body), programId: program.id }, query.cardId, context);
};

export const checkCustomerBalanceShapes = { query: CustomerBalanceCheckQuery, body: BalanceCheckRequest };

/** The balance of a card of any program, for whoever has its number and code. */
export const checkCustomerBalance: Handler<typeof checkCustomerBalanceShapes, typeof BalanceCheckResponse> = (
  { query, body },
  context,
) => check({ ...credentials(body), programId: query.programId }, query.cardId, context);

const credentials = ({ cardNumber, securityCode }: { cardNumber: string; securityCode: string }) => ({
  cardNumber,
  securityCode,
});

// A wrong code counts towards the card's lockout, so the call is never repeated by itself.
async function check(request: CheckBalanceRequest, cardId: string | undefined, context: Context) {
  const card = await context.services.clients.giftcards.checkBalance(request, context.caller, context.changing());
  if (cardId !== undefined && cardId !== card.cardId) throw refusals.cardNotFound();
  return {
    body: {
      id: card.cardId,
      programId: card.programId,
      cardNumber: card.lastFourDigits.padStart(16, '*'),
      lastFourDigits: card.lastFourDigits,
      balance: formatMinorUnits(card.balanceMinor),
      status: card.status as CardStatus,
      expiresAt: isoAlways(card.expiresAt, 'expiresAt'),
      isActive: card.isActive,
    },
  };
}
