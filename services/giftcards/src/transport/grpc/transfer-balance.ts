import type { UnaryHandler } from '#platform/grpc/server.ts';
import type { TransferBalanceRequest, TransferBalanceResponse } from '#proto/giftcards/v1/giftcards.ts';
import type { CardSecrets } from '../../domain/ports.ts';
import type { createTransferBalance } from '../../domain/transfer-balance.ts';
import { toMinor, toTarget } from './render.ts';

export function transferBalanceRpc(
  transferBalance: ReturnType<typeof createTransferBalance>,
  secrets: CardSecrets,
): UnaryHandler<TransferBalanceRequest, TransferBalanceResponse> {
  return async ({ target, amountMinor, ...request }, { caller }) => {
    const transfer = await transferBalance({
      ...request,
      amountMinor: toMinor(amountMinor),
      ...toTarget(caller, target),
    });
    const { source, destination } = transfer;
    return {
      transferId: transfer.transferId,
      sourceCardId: source.card.id,
      sourceCardNumber: secrets.openNumber(source.card),
      sourceBalanceMinor: BigInt(source.balanceMinor),
      sourceStatus: source.status,
      destinationCardId: destination.card.id,
      destinationCardNumber: secrets.openNumber(destination.card),
      destinationBalanceMinor: BigInt(destination.balanceMinor),
      amountMinor: BigInt(transfer.amountMinor),
      currency: source.card.currency,
      replayed: transfer.replayed,
    };
  };
}
