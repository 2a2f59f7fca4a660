import type { UnaryHandler } from '#platform/grpc/server.ts';
import type { CheckBalanceRequest, CheckBalanceResponse } from '#proto/giftcards/v1/giftcards.ts';
import type { createCheckBalance } from '../../domain/check-balance.ts';

export function checkBalanceRpc(
  checkBalance: ReturnType<typeof createCheckBalance>,
): UnaryHandler<CheckBalanceRequest, CheckBalanceResponse> {
  return async (request) => {
    const card = await checkBalance(request);
    return {
      cardId: card.id,
      programId: card.programId,
      lastFourDigits: card.lastFourDigits,
      balanceMinor: BigInt(card.balanceMinor),
      currency: card.currency,
      status: card.status,
      expiresAt: card.expiresAt,
      isActive: card.status === 'active',
    };
  };
}
