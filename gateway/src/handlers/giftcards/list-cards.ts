import type { z } from 'zod';
import type { Handler } from '../../routes/route.ts';
import { ListCardsQuery } from '../../schemas/giftcard-requests.ts';
import type { GiftCardResponse } from '../../schemas/giftcard-responses.ts';
import { ProgramPath } from '../../schemas/loyalty.ts';
import { listAnswer, windowOf } from '../paging.ts';
import { renderCard } from './card-view.ts';
import { requireOwnMerchant } from './request-parts.ts';

export const listCardsShapes = { params: ProgramPath, query: ListCardsQuery };

/** The cards of a program. */
export const listCards: Handler<typeof listCardsShapes, z.ZodArray<typeof GiftCardResponse>> = async (
  { params, query },
  context,
) => {
  const program = await context.services.programs.resolve(params.programId, context.caller);
  requireOwnMerchant(query.merchant_id, context);
  const { cards, total } = await context.services.clients.giftcards.listCards(
    {
      programId: program.id,
      page: windowOf(query),
      status: query.status,
      positiveBalance: query.positive_balance,
      cardId: query.cardId,
      query: query.q,
    },
    context.caller,
    context.reading(),
  );
  return listAnswer(cards.map(renderCard), total, query, context);
};
