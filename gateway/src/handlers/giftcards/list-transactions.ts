import type { z } from 'zod';
import type { Handler } from '../../routes/route.ts';
import { CardPath, ListTransactionsQuery } from '../../schemas/giftcard-requests.ts';
import type { TransactionResponse } from '../../schemas/giftcard-responses.ts';
import { listAnswer, windowOf } from '../paging.ts';
import { renderTransaction } from './card-view.ts';

export const listTransactionsShapes = { params: CardPath, query: ListTransactionsQuery };

/** A card's ledger entries, newest first. */
export const listTransactions: Handler<typeof listTransactionsShapes, z.ZodArray<typeof TransactionResponse>> = async (
  { params, query },
  context,
) => {
  const program = await context.services.programs.resolve(params.programId, context.caller);
  const { transactions, total } = await context.services.clients.giftcards.listTransactions(
    { programId: program.id, cardId: params.cardId, page: windowOf(query), query: query.q },
    context.caller,
    context.reading(),
  );
  return listAnswer(transactions.map(renderTransaction), total, query, context);
};
