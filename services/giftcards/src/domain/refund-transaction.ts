import {
  type BalanceChange,
  type CardTarget,
  cardEventData,
  claimIdempotency,
  toBalanceChange,
} from './card-answer.ts';
import { refusal } from './errors.ts';
import type { Ledger } from './ledger.ts';
import type { LedgerView } from './ledger-command.ts';
import { type Minor, toDecimal } from './money.ts';
import type { CardSecrets } from './ports.ts';

export interface RefundTransaction extends CardTarget {
  readonly transactionId: string;
  /** Absent: all that is left of the redemption. */
  readonly amountMinor?: Minor;
  readonly reason?: string;
  readonly posTransactionId?: string;
}

/**
 * Gives a redemption back, in full or in parts that never add up to more than it; a depleted card is active again.
 * @throws AppError `card_not_found`, `transaction_not_found`, `not_refundable`, `invalid_transition`,
 * `refund_exceeds_redemption`, `balance_limit_exceeded`.
 */
export function createRefundTransaction(deps: { ledger: Ledger; secrets: CardSecrets }) {
  return async (input: RefundTransaction): Promise<BalanceChange> => {
    const { idempotencyKey: _, origin, ...request } = input;
    const result = await deps.ledger.submit({
      action: 'refund',
      origin,
      merchantId: input.merchantId,
      programId: input.programId,
      cardIds: [input.cardId],
      redemptionId: input.transactionId,
      idempotency: claimIdempotency(deps.secrets, input, { action: 'refund', cardIds: [input.cardId], request }),
      apply: (view) => refund(view, input),
    });
    return toBalanceChange(result);
  };
}

function refund(view: LedgerView, input: RefundTransaction) {
  if (input.amountMinor !== undefined && input.amountMinor <= 0) throw refusal.invalidAmount();
  const card = view.card(input.cardId);
  if (card === undefined) throw refusal.cardNotFound();
  const redemption = view.redemption(card.id, input.transactionId);
  if (redemption === undefined) throw refusal.transactionNotFound();
  if (redemption.entry.type !== 'REDEMPTION') throw refusal.notRefundable();
  if (card.status !== 'active' && card.status !== 'depleted') throw refusal.invalidTransition(card, 'refunded');
  const refundableMinor = -redemption.entry.amountMinor - redemption.refundedMinor;
  const amountMinor = input.amountMinor ?? refundableMinor;
  if (amountMinor > refundableMinor || refundableMinor === 0) throw refusal.refundExceedsRedemption(refundableMinor);
  const entry = {
    type: 'REFUND',
    amountMinor,
    refundOf: redemption.entry.id,
    referenceId: redemption.entry.id,
    description: input.reason,
    posTransactionId: input.posTransactionId,
  } as const;
  const posted = view.post(card, entry, { status: 'active' });
  view.emit('giftcard.refunded', {
    ...cardEventData(posted.card),
    transactionId: posted.entry.id,
    refundOf: redemption.entry.id,
    amount: toDecimal(amountMinor),
  });
  return {
    transactionId: posted.entry.id,
    cardId: card.id,
    amountMinor,
    balanceMinor: posted.card.balanceMinor,
    currency: card.currency,
    status: posted.card.status,
  };
}
