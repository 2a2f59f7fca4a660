import type { UnaryHandler } from '#platform/grpc/server.ts';
import type { BalanceChange, RedeemCardRequest } from '#proto/giftcards/v1/giftcards.ts';
import type { createRedeemCard } from '../../domain/redeem-card.ts';
import { toBalanceChangeMessage, toMinor, toTarget } from './render.ts';

export function redeemCardRpc(
  redeemCard: ReturnType<typeof createRedeemCard>,
): UnaryHandler<RedeemCardRequest, BalanceChange> {
  return async ({ target, amountMinor, ...request }, { caller }) =>
    toBalanceChangeMessage(
      await redeemCard({ ...request, amountMinor: toMinor(amountMinor), ...toTarget(caller, target) }),
    );
}
