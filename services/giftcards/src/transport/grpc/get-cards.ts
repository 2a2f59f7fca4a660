import { unprocessable } from '#platform/errors.ts';
import type { UnaryHandler } from '#platform/grpc/server.ts';
import { isId } from '#platform/ids.ts';
import type { GetCardsRequest, GetCardsResponse } from '#proto/giftcards/v1/giftcards.ts';
import type { CardSecrets } from '../../domain/ports.ts';
import type { createGetCards } from '../../domain/read-cards.ts';
import { merchantOf, toCardMessage } from './render.ts';

const cardIdsMax = 128;

export function getCardsRpc(
  getCards: ReturnType<typeof createGetCards>,
  secrets: CardSecrets,
): UnaryHandler<GetCardsRequest, GetCardsResponse> {
  return async ({ programId, cardIds }, { caller }) => {
    const merchantId = merchantOf(caller);
    if (cardIds.length > cardIdsMax) {
      throw unprocessable([{ loc: ['cardIds'], msg: `At most ${cardIdsMax} cards`, type: 'too_long' }]);
    }
    const cards = await getCards(merchantId, programId, cardIds.filter(isId));
    return { cards: cards.map((card) => toCardMessage(card, secrets)) };
  };
}
