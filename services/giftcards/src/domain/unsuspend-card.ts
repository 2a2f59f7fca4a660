import { liftSuspension } from './card.ts';
import { type CardChange, type CardTarget, cardEventData, snapshotCard, toCardChange } from './card-answer.ts';
import { refusal } from './errors.ts';
import type { Ledger } from './ledger.ts';

/**
 * Makes a suspended card active again.
 * @throws AppError `card_not_found`, `invalid_transition`.
 */
export function createUnsuspendCard(deps: { ledger: Ledger }) {
  return async (input: CardTarget): Promise<CardChange> => {
    const result = await deps.ledger.submit({
      action: 'unsuspend',
      origin: input.origin,
      merchantId: input.merchantId,
      programId: input.programId,
      cardIds: [input.cardId],
      apply(view) {
        const card = view.card(input.cardId);
        if (card === undefined) throw refusal.cardNotFound();
        if (card.status !== 'suspended') throw refusal.invalidTransition(card, 'unsuspended');
        const active = view.update(liftSuspension(card), {});
        view.emit('giftcard.unsuspended', cardEventData(active));
        return snapshotCard(active);
      },
    });
    return toCardChange(result);
  };
}
