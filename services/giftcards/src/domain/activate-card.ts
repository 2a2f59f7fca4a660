import type { Card } from './card.ts';
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
import { toDecimal } from './money.ts';
import type { CardSecrets } from './ports.ts';

export interface ActivateCard extends CardTarget {
  readonly customerEmail?: string;
  readonly customerPhone?: string;
  readonly customerName?: string;
  /** Checked when given, as a customer who activates the card does. */
  readonly securityCode?: string;
}

/**
 * Loads a pending card with its initial value.
 * @throws AppError `card_not_found`, `security_code_locked`, `incorrect_security_code`, `invalid_transition`.
 */
export function createActivateCard(deps: { ledger: Ledger; secrets: CardSecrets }) {
  return async (input: ActivateCard): Promise<CardChange> => {
    const { idempotencyKey: _, origin, ...request } = input;
    const result = await deps.ledger.submit({
      action: 'activate',
      origin,
      merchantId: input.merchantId,
      programId: input.programId,
      cardIds: [input.cardId],
      codeCardId: input.securityCode === undefined ? undefined : input.cardId,
      idempotency: claimIdempotency(deps.secrets, input, { action: 'activate', cardIds: [input.cardId], request }),
      apply: (view) => activate(view, input, deps.secrets),
    });
    return toCardChange(result);
  };
}

function activate(view: LedgerView, input: ActivateCard, secrets: CardSecrets) {
  const card = view.card(input.cardId);
  if (card === undefined) throw refusal.cardNotFound();
  if (input.securityCode !== undefined) view.checkCode(card, secrets.hashCode(card.id, input.securityCode));
  if (card.status !== 'pending') throw refusal.invalidTransition(card, 'activated');
  const changes: Partial<Card> = {
    status: 'active',
    activatedAt: view.now,
    customerEmail: input.customerEmail ?? card.customerEmail,
    customerPhone: input.customerPhone ?? card.customerPhone,
    customerName: input.customerName ?? card.customerName,
  };
  const posted = view.post(card, { type: 'ACTIVATION', amountMinor: card.initialValueMinor }, changes);
  view.emit('giftcard.activated', {
    ...cardEventData(posted.card),
    transactionId: posted.entry.id,
    amount: toDecimal(posted.entry.amountMinor),
  });
  return snapshotCard(posted.card);
}
