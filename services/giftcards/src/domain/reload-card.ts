import {
  type CardChange,
  type CardTarget,
  cardEventData,
  claimIdempotency,
  snapshotCard,
  toCardChange,
} from './card-answer.ts';
import { refusal } from './errors.ts';
import type { Ledger } from './ledger.ts';
import type { LedgerView } from './ledger-command.ts';
import { type Minor, toDecimal } from './money.ts';
import type { CardSecrets } from './ports.ts';

export interface ReloadCard extends CardTarget {
  readonly amountMinor: Minor;
  readonly referenceId?: string;
  readonly description?: string;
}

/**
 * Adds funds to an active or depleted card.
 * @throws AppError `card_not_found`, `invalid_transition`, `balance_limit_exceeded`.
 */
export function createReloadCard(deps: { ledger: Ledger; secrets: CardSecrets }) {
  return async (input: ReloadCard): Promise<CardChange> => {
    const { idempotencyKey: _, origin, ...request } = input;
    const result = await deps.ledger.submit({
      action: 'reload',
      origin,
      merchantId: input.merchantId,
      programId: input.programId,
      cardIds: [input.cardId],
      idempotency: claimIdempotency(deps.secrets, input, { action: 'reload', cardIds: [input.cardId], request }),
      apply: (view) => reload(view, input),
    });
    return toCardChange(result);
  };
}

function reload(view: LedgerView, input: ReloadCard) {
  if (input.amountMinor <= 0) throw refusal.invalidAmount();
  const card = view.card(input.cardId);
  if (card === undefined) throw refusal.cardNotFound();
  if (card.status !== 'active' && card.status !== 'depleted') throw refusal.invalidTransition(card, 'reloaded');
  const entry = {
    type: 'RELOAD',
    amountMinor: input.amountMinor,
    referenceId: input.referenceId,
    description: input.description ?? 'Gift card reload',
  } as const;
  const posted = view.post(card, entry, { status: 'active' });
  view.emit('giftcard.reloaded', {
    ...cardEventData(posted.card),
    transactionId: posted.entry.id,
    amount: toDecimal(input.amountMinor),
  });
  return snapshotCard(posted.card);
}
