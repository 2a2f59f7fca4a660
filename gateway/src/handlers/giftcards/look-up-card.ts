import type { Handler } from '../../routes/route.ts';
import { LookUpCardQuery } from '../../schemas/giftcard-requests.ts';
import type { GiftCardResponse } from '../../schemas/giftcard-responses.ts';
import { ProgramPath } from '../../schemas/loyalty.ts';
import { renderCard } from './card-view.ts';

export const lookUpCardShapes = { params: ProgramPath, query: LookUpCardQuery };

/** The card that has a number. */
export const lookUpCard: Handler<typeof lookUpCardShapes, typeof GiftCardResponse> = async (
  { params, query },
  context,
) => {
  const program = await context.services.programs.resolve(params.programId, context.caller);
  const { card } = await context.services.clients.giftcards.lookUpCard(
    { programId: program.id, cardNumber: query.cardNumber },
    context.caller,
    context.reading(),
  );
  return { body: renderCard(card) };
};
