import type { Handler } from '../../routes/route.ts';
import { CardPath, GetCardQuery } from '../../schemas/giftcard-requests.ts';
import type { GiftCardDetailResponse } from '../../schemas/giftcard-responses.ts';
import { renderCard, renderTransaction } from './card-view.ts';

export const getCardShapes = { params: CardPath, query: GetCardQuery };

/** One card, with its history when asked for. */
export const getCard: Handler<typeof getCardShapes, typeof GiftCardDetailResponse> = async (
  { params, query },
  context,
) => {
  const program = await context.services.programs.resolve(params.programId, context.caller);
  const includeTransactions = query.include_transactions;
  const answer = await context.services.clients.giftcards.getCard(
    { programId: program.id, cardId: params.cardId, includeTransactions },
    context.caller,
    context.reading(),
  );
  const card = renderCard(answer.card);
  return {
    body: includeTransactions ? { ...card, transactions: answer.transactions.map(renderTransaction) } : card,
  };
};
