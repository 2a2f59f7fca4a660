import { refusals } from '../../errors.ts';
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
  if (!query.include_transactions) {
    const card = await context.services.cards.load(program.id, params.cardId, context.caller);
    if (card === undefined) throw refusals.cardNotFound();
    return { body: renderCard(card) };
  }
  const answer = await context.services.clients.giftcards.getCard(
    { programId: program.id, cardId: params.cardId, includeTransactions: true },
    context.caller,
    context.reading(),
  );
  return { body: { ...renderCard(answer.card), transactions: answer.transactions.map(renderTransaction) } };
};
