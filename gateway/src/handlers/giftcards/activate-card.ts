import type { Handler } from '../../routes/route.ts';
import { IdempotencyHeaders } from '../../schemas/common.ts';
import { ActivateGiftCardRequest, CardPath } from '../../schemas/giftcard-requests.ts';
import type { GiftCardResponse } from '../../schemas/giftcard-responses.ts';
import { renderCard, replayable } from './card-view.ts';
import { targetOf } from './request-parts.ts';

export const activateCardShapes = { params: CardPath, headers: IdempotencyHeaders, body: ActivateGiftCardRequest };

/** Loads a pending card with its initial value. */
export const activateCard: Handler<typeof activateCardShapes, typeof GiftCardResponse> = async (
  { params, headers, body },
  context,
) => {
  const target = await targetOf(params, headers, context);
  const answer = await context.services.clients.giftcards.activateCard(
    { target, ...body },
    context.caller,
    context.changing(target.idempotencyKey),
  );
  return replayable(renderCard(answer.card), answer.replayed);
};
