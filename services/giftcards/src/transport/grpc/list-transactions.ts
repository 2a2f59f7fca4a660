import type { UnaryHandler } from '#platform/grpc/server.ts';
import type { ListTransactionsRequest, ListTransactionsResponse } from '#proto/giftcards/v1/giftcards.ts';
import type { createListTransactions } from '../../domain/read-cards.ts';
import { toTarget, toTransactionMessage } from './render.ts';

export function listTransactionsRpc(
  listTransactions: ReturnType<typeof createListTransactions>,
): UnaryHandler<ListTransactionsRequest, ListTransactionsResponse> {
  return async (request, { caller }) => {
    const { merchantId, programId, cardId } = toTarget(caller, request);
    const where = { programId, cardId, query: request.query };
    const { entries, total } = await listTransactions(merchantId, where, request.page ?? { offset: 0, limit: 250 });
    return { transactions: entries.map(toTransactionMessage), total };
  };
}
