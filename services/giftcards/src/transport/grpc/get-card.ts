import type { UnaryHandler } from '#platform/grpc/server.ts';
import type { GetCardRequest, GetCardResponse } from '#proto/giftcards/v1/giftcards.ts';
import type { CardSecrets } from '../../domain/ports.ts';
import type { createGetCard } from '../../domain/read-cards.ts';
import { toCardMessage, toTarget, toTransactionMessage } from './render.ts';

export function getCardRpc(
  getCard: ReturnType<typeof createGetCard>,
  secrets: CardSecrets,
): UnaryHandler<GetCardRequest, GetCardResponse> {
  return async (request, { caller }) => {
    const { merchantId, programId, cardId } = toTarget(caller, request);
    const found = await getCard(merchantId, { programId, cardId, withTransactions: request.includeTransactions });
    return { card: toCardMessage(found.card, secrets), transactions: found.transactions.map(toTransactionMessage) };
  };
}
