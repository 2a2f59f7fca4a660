import type { Handler } from '../../routes/route.ts';
import { IdempotencyHeaders } from '../../schemas/common.ts';
import { CardPath, ReloadGiftCardRequest } from '../../schemas/giftcard-requests.ts';
import type { GiftCardResponse } from '../../schemas/giftcard-responses.ts';
import { renderCard, replayable } from './card-view.ts';
import { targetOf } from './request-parts.ts';

export const reloadCardShapes = { params: CardPath, headers: IdempotencyHeaders, body: ReloadGiftCardRequest };

/** Adds to an active card. */
export const reloadCard: Handler<typeof reloadCardShapes, typeof GiftCardResponse> = async (
  { params, headers, body },
  context,
) => {
  const target = await targetOf(params, headers, context);
  const answer = await context.services.clients.giftcards.reloadCard(
    { target, amountMinor: body.amount, referenceId: body.referenceId, description: body.description },
    context.caller,
    context.changing(target.idempotencyKey),
  );
  return replayable(renderCard(answer.card), answer.replayed);
};
