import { unprocessable } from '#platform/errors.ts';
import { type CardChange, type CardTarget, cardEventData, snapshotCard, toCardChange } from './card-answer.ts';
import { refusal } from './errors.ts';
import type { Ledger } from './ledger.ts';
import type { LedgerView } from './ledger-command.ts';
import type { Clock } from './ports.ts';

export interface SuspendCard extends CardTarget {
  readonly reason: string;
  /** When the suspension lifts itself; absent: never. */
  readonly until?: Date;
}

/**
 * Stops an active card from being used until it is unsuspended, or `until` has passed.
 * @throws AppError `card_not_found`, `invalid_transition`, `validation_error` when `until` is not in the future.
 */
export function createSuspendCard(deps: { ledger: Ledger; clock: Clock }) {
  return async (input: SuspendCard): Promise<CardChange> => {
    if (input.until !== undefined && input.until <= deps.clock()) {
      const error = 'the end of the suspension must be in the future';
      throw unprocessable([
        { loc: ['body', 'expiresAt'], msg: `Value error, ${error}`, type: 'value_error', ctx: { error } },
      ]);
    }
    const result = await deps.ledger.submit({
      action: 'suspend',
      origin: input.origin,
      merchantId: input.merchantId,
      programId: input.programId,
      cardIds: [input.cardId],
      apply: (view) => suspend(view, input),
    });
    return toCardChange(result);
  };
}

function suspend(view: LedgerView, input: SuspendCard) {
  const card = view.card(input.cardId);
  if (card === undefined) throw refusal.cardNotFound();
  if (card.status !== 'active') throw refusal.invalidTransition(card, 'suspended');
  const suspended = view.update(card, {
    status: 'suspended',
    suspendedReason: input.reason,
    suspendedAt: view.now,
    suspendedUntil: input.until,
  });
  view.emit('giftcard.suspended', { ...cardEventData(suspended), reason: input.reason });
  return snapshotCard(suspended);
}
