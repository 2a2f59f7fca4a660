import type { UnaryHandler } from '#platform/grpc/server.ts';
import type { CardChange, ReloadCardRequest } from '#proto/giftcards/v1/giftcards.ts';
import type { CardSecrets } from '../../domain/ports.ts';
import type { createReloadCard } from '../../domain/reload-card.ts';
import { toCardMessage, toMinor, toTarget } from './render.ts';

export function reloadCardRpc(
  reloadCard: ReturnType<typeof createReloadCard>,
  secrets: CardSecrets,
): UnaryHandler<ReloadCardRequest, CardChange> {
  return async ({ target, amountMinor, ...request }, { caller }) => {
    const change = await reloadCard({ ...request, amountMinor: toMinor(amountMinor), ...toTarget(caller, target) });
    return { card: toCardMessage(change.card, secrets), replayed: change.replayed };
  };
}
