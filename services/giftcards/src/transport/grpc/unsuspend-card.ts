import type { UnaryHandler } from '#platform/grpc/server.ts';
import type { CardChange, UnsuspendCardRequest } from '#proto/giftcards/v1/giftcards.ts';
import type { CardSecrets } from '../../domain/ports.ts';
import type { createUnsuspendCard } from '../../domain/unsuspend-card.ts';
import { toCardMessage, toTarget } from './render.ts';

export function unsuspendCardRpc(
  unsuspendCard: ReturnType<typeof createUnsuspendCard>,
  secrets: CardSecrets,
): UnaryHandler<UnsuspendCardRequest, CardChange> {
  return async ({ target }, { caller }) => {
    const change = await unsuspendCard(toTarget(caller, target));
    return { card: toCardMessage(change.card, secrets), replayed: change.replayed };
  };
}
