import type { Handler } from '../../routes/route.ts';
import { IdempotencyHeaders } from '../../schemas/common.ts';
import { RefundGiftCardRequest, TransactionPath } from '../../schemas/giftcard-requests.ts';
import type { RefundResponse } from '../../schemas/giftcard-responses.ts';
import { formatMinorUnits } from '../../validation/decimal.ts';
import { replayable } from './card-view.ts';
import { targetOf } from './request-parts.ts';

export const refundTransactionShapes = {
  params: TransactionPath,
  headers: IdempotencyHeaders,
  body: RefundGiftCardRequest,
};

/** Gives back a redemption, or a part of it. */
export const refundTransaction: Handler<typeof refundTransactionShapes, typeof RefundResponse> = async (
  { params, headers, body },
  context,
) => {
  const target = await targetOf(params, headers, context);
  const answer = await context.services.clients.giftcards.refundTransaction(
    {
      target,
      transactionId: params.transactionId,
      amountMinor: body.amount,
      reason: body.reason,
      posTransactionId: body.posTransactionId,
    },
    context.caller,
    context.changing(target.idempotencyKey),
  );
  return replayable(
    {
      transactionId: answer.transactionId,
      giftCardId: answer.cardId,
      refundedAmount: formatMinorUnits(answer.amountMinor),
      remainingBalance: formatMinorUnits(answer.balanceMinor),
      success: true,
      message: 'The amount was refunded.',
    },
    answer.replayed,
  );
};
