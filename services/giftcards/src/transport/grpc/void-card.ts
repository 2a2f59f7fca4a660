import type { UnaryHandler } from '#platform/grpc/server.ts';
import type { BalanceChange, VoidCardRequest } from '#proto/giftcards/v1/giftcards.ts';
import type { createVoidCard } from '../../domain/void-card.ts';
import { toBalanceChangeMessage, toTarget } from './render.ts';

export function voidCardRpc(voidCard: ReturnType<typeof createVoidCard>): UnaryHandler<VoidCardRequest, BalanceChange> {
  return async ({ target, ...request }, { caller }) =>
    toBalanceChangeMessage(await voidCard({ ...request, ...toTarget(caller, target) }));
}
