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

export interface RedeemCard extends CardTarget {
  readonly amountMinor: Minor;
  readonly posTransactionId?: string;
  readonly cashierId?: string;
  readonly terminalId?: string;
  readonly description?: string;
}

/**
 * Spends from an active card; at zero it becomes depleted.
 * @throws AppError `card_not_found`, `card_not_active`, `insufficient_balance`.
 */
export function createRedeemCard(deps: { ledger: Ledger; secrets: CardSecrets }) {
  return async (input: RedeemCard): Promise<BalanceChange> => {
    const { idempotencyKey: _, origin, ...request } = input;
    const result = await deps.ledger.submit({
      action: 'redeem',
      origin,
      merchantId: input.merchantId,
      programId: input.programId,
      cardIds: [input.cardId],
      idempotency: claimIdempotency(deps.secrets, input, { action: 'redeem', cardIds: [input.cardId], request }),
      apply: (view) => redeem(view, input),
    });
    return toBalanceChange(result);
  };
}

function redeem(view: LedgerView, input: RedeemCard) {
  if (input.amountMinor <= 0) throw refusal.invalidAmount();
  const card = view.card(input.cardId);
  if (card === undefined) throw refusal.cardNotFound();
  if (card.status !== 'active') throw refusal.cardNotActive(card);
  if (card.balanceMinor < input.amountMinor) throw refusal.insufficientBalance(card);
  const entry = {
    type: 'REDEMPTION',
    amountMinor: -input.amountMinor,
    posTransactionId: input.posTransactionId,
    cashierId: input.cashierId,
    terminalId: input.terminalId,
    description: input.description,
  } as const;
  const posted = view.post(card, entry, card.balanceMinor === input.amountMinor ? { status: 'depleted' } : {});
  view.emit('giftcard.redeemed', {
    ...cardEventData(posted.card),
    transactionId: posted.entry.id,
    amount: toDecimal(input.amountMinor),
  });
  return {
    transactionId: posted.entry.id,
    cardId: card.id,
    amountMinor: input.amountMinor,
    balanceMinor: posted.card.balanceMinor,
    currency: card.currency,
    status: posted.card.status,
  };
}
