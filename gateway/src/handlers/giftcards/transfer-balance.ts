import type { Handler } from '../../routes/route.ts';
import { IdempotencyHeaders } from '../../schemas/common.ts';
import { CardPath, TransferBalanceRequest } from '../../schemas/giftcard-requests.ts';
import type { TransferBalanceResponse } from '../../schemas/giftcard-responses.ts';
import { formatMinorUnits } from '../../validation/decimal.ts';
import { type CardStatus, replayable } from './card-view.ts';
import { targetOf } from './request-parts.ts';

export const transferBalanceShapes = { params: CardPath, headers: IdempotencyHeaders, body: TransferBalanceRequest };

/** Moves a part of a balance to another card of the program. */
export const transferBalance: Handler<typeof transferBalanceShapes, typeof TransferBalanceResponse> = async (
  { params, headers, body },
  context,
) => {
  const target = await targetOf(params, headers, context);
  const answer = await context.services.clients.giftcards.transferBalance(
    {
      target,
      securityCode: body.securityCode,
      destinationCardNumber: body.destinationCardNumber,
      amountMinor: body.amount,
      description: body.description,
      referenceId: body.referenceId,
    },
    context.caller,
    context.changing(target.idempotencyKey),
  );
  return replayable(
    {
      success: true,
      message: 'The balance was transferred.',
      transferId: answer.transferId,
      sourceCard: {
        id: answer.sourceCardId,
        cardNumber: answer.sourceCardNumber,
        remainingBalance: formatMinorUnits(answer.sourceBalanceMinor),
        status: answer.sourceStatus as CardStatus,
      },
      destinationCard: {
        id: answer.destinationCardId,
        cardNumber: answer.destinationCardNumber,
        newBalance: formatMinorUnits(answer.destinationBalanceMinor),
      },
      amountTransferred: formatMinorUnits(answer.amountMinor),
    },
    answer.replayed,
  );
};
