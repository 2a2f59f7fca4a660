import type { UnaryHandler } from '#platform/grpc/server.ts';
import type { LookUpCardRequest, LookUpCardResponse } from '#proto/giftcards/v1/giftcards.ts';
import type { createLookUpCard } from '../../domain/look-up-card.ts';
import type { CardSecrets } from '../../domain/ports.ts';
import { merchantOf, toCardMessage } from './render.ts';

export function lookUpCardRpc(
  lookUpCard: ReturnType<typeof createLookUpCard>,
  secrets: CardSecrets,
): UnaryHandler<LookUpCardRequest, LookUpCardResponse> {
  return async ({ programId, cardNumber }, { caller }) => {
    const card = await lookUpCard(merchantOf(caller), { programId, cardNumber });
    return { card: toCardMessage(card, secrets) };
  };
}
