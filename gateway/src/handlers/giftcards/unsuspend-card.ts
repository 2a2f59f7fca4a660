import type { Handler } from '../../routes/route.ts';
import { CardPath, UnsuspendGiftCardRequest } from '../../schemas/giftcard-requests.ts';
import type { GiftCardResponse } from '../../schemas/giftcard-responses.ts';
import { renderCard } from './card-view.ts';
import { targetOf } from './request-parts.ts';

export const unsuspendCardShapes = { params: CardPath, body: UnsuspendGiftCardRequest };

/** Lifts a suspension. */
export const unsuspendCard: Handler<typeof unsuspendCardShapes, typeof GiftCardResponse> = async (
  { params },
  context,
) => {
  const target = await targetOf(params, undefined, context);
  const { card } = await context.services.clients.giftcards.unsuspendCard(
    { target },
    context.caller,
    context.changing(),
  );
  return { body: renderCard(card) };
};
