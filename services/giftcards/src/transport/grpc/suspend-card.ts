import type { UnaryHandler } from '#platform/grpc/server.ts';
import type { CardChange, SuspendCardRequest } from '#proto/giftcards/v1/giftcards.ts';
import type { CardSecrets } from '../../domain/ports.ts';
import type { createSuspendCard } from '../../domain/suspend-card.ts';
import { toCardMessage, toTarget } from './render.ts';

export function suspendCardRpc(
  suspendCard: ReturnType<typeof createSuspendCard>,
  secrets: CardSecrets,
): UnaryHandler<SuspendCardRequest, CardChange> {
  return async ({ target, reason, suspendedUntil }, { caller }) => {
    const change = await suspendCard({ reason, until: suspendedUntil, ...toTarget(caller, target) });
    return { card: toCardMessage(change.card, secrets), replayed: change.replayed };
  };
}
