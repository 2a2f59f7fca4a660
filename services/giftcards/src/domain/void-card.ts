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
import { toDecimal } from './money.ts';
import type { CardSecrets } from './ports.ts';

export interface VoidCard extends CardTarget {
  readonly reason: string;
  readonly refundReference?: string;
}

/**
 * Ends a card for good and takes its balance to zero. An expired card is voided by process-expired, not here.
 * @throws AppError `card_not_found`, `invalid_transition`.
 */
export function createVoidCard(deps: { ledger: Ledger; secrets: CardSecrets }) {
  return async (input: VoidCard): Promise<BalanceChange> => {
    const { idempotencyKey: _, origin, ...request } = input;
    const result = await deps.ledger.submit({
      action: 'void',
      origin,
      merchantId: input.merchantId,
      programId: input.programId,
      cardIds: [input.cardId],
      idempotency: claimIdempotency(deps.secrets, input, { action: 'void', cardIds: [input.cardId], request }),
      apply: (view) => voidCard(view, input),
    });
    return toBalanceChange(result);
  };
}

function voidCard(view: LedgerView, input: VoidCard) {
  const card = view.card(input.cardId);
  if (card === undefined) throw refusal.cardNotFound();
  if (card.status === 'voided' || card.status === 'expired') throw refusal.invalidTransition(card, 'voided');
  const amountMinor = card.balanceMinor;
  const entry = {
    type: 'VOID',
    amountMinor: amountMinor === 0 ? 0 : -amountMinor,
    description: input.reason,
    referenceId: input.refundReference,
  } as const;
  const posted = view.post(card, entry, { status: 'voided' });
  view.emit('giftcard.voided', {
    ...cardEventData(posted.card),
    transactionId: posted.entry.id,
    amount: toDecimal(amountMinor),
    reason: input.reason,
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
