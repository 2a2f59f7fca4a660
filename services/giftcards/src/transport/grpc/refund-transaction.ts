import type { UnaryHandler } from '#platform/grpc/server.ts';
import { isId } from '#platform/ids.ts';
import type { BalanceChange, RefundTransactionRequest } from '#proto/giftcards/v1/giftcards.ts';
import { refusal } from '../../domain/errors.ts';
import type { createRefundTransaction } from '../../domain/refund-transaction.ts';
import { toBalanceChangeMessage, toMinor, toTarget } from './render.ts';

export function refundTransactionRpc(
  refundTransaction: ReturnType<typeof createRefundTransaction>,
): UnaryHandler<RefundTransactionRequest, BalanceChange> {
  return async ({ target, amountMinor, ...request }, { caller }) => {
    const card = toTarget(caller, target);
    if (!isId(request.transactionId)) throw refusal.transactionNotFound();
    const amount = amountMinor === undefined ? undefined : toMinor(amountMinor);
    return toBalanceChangeMessage(await refundTransaction({ ...request, amountMinor: amount, ...card }));
  };
}
