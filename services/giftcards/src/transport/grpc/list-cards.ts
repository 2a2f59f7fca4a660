import { notFound } from '#platform/errors.ts';
import type { UnaryHandler } from '#platform/grpc/server.ts';
import { isId } from '#platform/ids.ts';
import type { ListCardsRequest, ListCardsResponse } from '#proto/giftcards/v1/giftcards.ts';
import type { CardSecrets } from '../../domain/ports.ts';
import type { createListCards } from '../../domain/read-cards.ts';
import { merchantOf, toCardMessage } from './render.ts';

export function listCardsRpc(
  listCards: ReturnType<typeof createListCards>,
  secrets: CardSecrets,
): UnaryHandler<ListCardsRequest, ListCardsResponse> {
  return async ({ page, ...filter }, { caller }) => {
    const merchantId = merchantOf(caller);
    if (!isId(filter.programId)) throw notFound('program');
    if (filter.cardId !== undefined && !isId(filter.cardId)) return { cards: [], total: 0 };
    const { cards, total } = await listCards(merchantId, filter, page ?? { offset: 0, limit: 250 });
    return { cards: cards.map((card) => toCardMessage(card, secrets)), total };
  };
}
