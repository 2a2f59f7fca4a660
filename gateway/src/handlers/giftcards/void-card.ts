import type { Handler } from '../../routes/route.ts';
import { IdempotencyHeaders } from '../../schemas/common.ts';
import { CardPath, VoidGiftCardRequest } from '../../schemas/giftcard-requests.ts';
import type { ExpiredCardProcessingResponse } from '../../schemas/giftcard-responses.ts';
import { textOrNull } from '../render.ts';
import { replayable } from './card-view.ts';
import { targetOf } from './request-parts.ts';

export const voidCardShapes = { params: CardPath, headers: IdempotencyHeaders, body: VoidGiftCardRequest };

/** Ends a card: its balance goes to zero. */
export const voidCard: Handler<typeof voidCardShapes, typeof ExpiredCardProcessingResponse> = async (
  { params, headers, body },
  context,
) => {
  const target = await targetOf(params, headers, context);
  const answer = await context.services.clients.giftcards.voidCard(
    { target, reason: body.reason, refundReference: body.refundReference },
    context.caller,
    context.changing(target.idempotencyKey),
  );
  return replayable(
    {
      success: true,
      cardId: answer.cardId,
      action: 'void',
      message: 'The card is voided.',
      newExpiresAt: null,
      transactionId: textOrNull(answer.transactionId),
    },
    answer.replayed,
  );
};
