import type { Handler } from '../../routes/route.ts';
import { IdempotencyHeaders } from '../../schemas/common.ts';
import { CardPath, RedeemGiftCardRequest } from '../../schemas/giftcard-requests.ts';
import type { RedeemResponse } from '../../schemas/giftcard-responses.ts';
import { formatMinorUnits } from '../../validation/decimal.ts';
import { replayable } from './card-view.ts';
import { targetOf } from './request-parts.ts';

export const redeemCardShapes = { params: CardPath, headers: IdempotencyHeaders, body: RedeemGiftCardRequest };

/** Spends from a card. */
export const redeemCard: Handler<typeof redeemCardShapes, typeof RedeemResponse> = async (
  { params, headers, body },
  context,
) => {
  const target = await targetOf(params, headers, context);
  const { amount: amountMinor, posTransactionId, cashierId, terminalId, description } = body;
  const answer = await context.services.clients.giftcards.redeemCard(
    { target, amountMinor, posTransactionId, cashierId, terminalId, description },
    context.caller,
    context.changing(target.idempotencyKey),
  );
  return replayable(
    {
      transactionId: answer.transactionId,
      giftCardId: answer.cardId,
      amountRedeemed: formatMinorUnits(answer.amountMinor),
      remainingBalance: formatMinorUnits(answer.balanceMinor),
      success: true,
      message: 'The amount was redeemed.',
    },
    answer.replayed,
  );
};
