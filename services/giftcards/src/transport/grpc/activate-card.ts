import type { UnaryHandler } from '#platform/grpc/server.ts';
import type { ActivateCardRequest, CardChange } from '#proto/giftcards/v1/giftcards.ts';
import type { createActivateCard } from '../../domain/activate-card.ts';
import type { CardSecrets } from '../../domain/ports.ts';
import { toCardMessage, toTarget, withoutMarkup } from './render.ts';

export function activateCardRpc(
  activateCard: ReturnType<typeof createActivateCard>,
  secrets: CardSecrets,
): UnaryHandler<ActivateCardRequest, CardChange> {
  return async ({ target, ...request }, { caller }) => {
    const customerName = withoutMarkup(request.customerName);
    const change = await activateCard({ ...request, customerName, ...toTarget(caller, target) });
    return { card: toCardMessage(change.card, secrets), replayed: change.replayed };
  };
}
