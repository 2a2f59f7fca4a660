import type { Handler } from '../../routes/route.ts';
import { CardPath, SuspendGiftCardRequest } from '../../schemas/giftcard-requests.ts';
import type { GiftCardResponse } from '../../schemas/giftcard-responses.ts';
import { renderCard } from './card-view.ts';
import { targetOf } from './request-parts.ts';

export const suspendCardShapes = { params: CardPath, body: SuspendGiftCardRequest };

/** Stops a card from being used, for good or until a time. */
export const suspendCard: Handler<typeof suspendCardShapes, typeof GiftCardResponse> = async (
  { params, body },
  context,
) => {
  const target = await targetOf(params, undefined, context);
  const { card } = await context.services.clients.giftcards.suspendCard(
    { target, reason: body.reason, suspendedUntil: body.expiresAt },
    context.caller,
    context.changing(),
  );
  return { body: renderCard(card) };
};
