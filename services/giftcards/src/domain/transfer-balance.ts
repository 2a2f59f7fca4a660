import { newId } from '#platform/ids.ts';
import type { Card, CardStatus } from './card.ts';
import { type CardTarget, cardEventData, claimIdempotency } from './card-answer.ts';
import { refusal } from './errors.ts';
import type { Ledger } from './ledger.ts';
import type { LedgerResult, LedgerView } from './ledger-command.ts';
import { balanceMinorMax, type Minor, toDecimal } from './money.ts';
import type { CardReader, CardSecrets } from './ports.ts';

/** `cardId` is the source card. */
export interface TransferBalance extends CardTarget {
  readonly securityCode: string;
  readonly destinationCardNumber: string;
  readonly amountMinor: Minor;
  readonly description?: string;
  readonly referenceId?: string;
}

/** Both cards as the transfer left them. */
export interface Transfer {
  readonly transferId: string;
  readonly source: { readonly card: Card; readonly balanceMinor: Minor; readonly status: CardStatus };
  readonly destination: { readonly card: Card; readonly balanceMinor: Minor };
  readonly amountMinor: Minor;
  readonly replayed: boolean;
}

interface TransferDeps {
  readonly ledger: Ledger;
  readonly secrets: CardSecrets;
  readonly reader: CardReader;
}

/**
 * Moves part of a card's balance to another card of the same program (spec, transfer rules 1 to 7).
 * @throws AppError in this order: `invalid_amount`, `card_not_found`, `same_card`, `card_locked`, `security_code_locked`,
 * `incorrect_security_code`, `card_not_active`, `insufficient_balance`, `balance_limit_exceeded`.
 */
export function createTransferBalance(deps: TransferDeps) {
  return async (input: TransferBalance): Promise<Transfer> => {
    if (input.amountMinor <= 0) throw refusal.invalidAmount();
    const destinationId = await findDestination(deps, input);
    const { idempotencyKey: _, origin, ...request } = input;
    const cardIds = [input.cardId, destinationId];
    const codeHash = deps.secrets.hashCode(input.cardId, input.securityCode);
    const result = await deps.ledger.submit({
      action: 'transfer',
      origin,
      merchantId: input.merchantId,
      programId: input.programId,
      cardIds,
      codeCardId: input.cardId,
      idempotency: claimIdempotency(deps.secrets, input, { action: 'transfer', cardIds, request }),
      apply: (view) => transfer(view, input, { destinationId, codeHash }),
    });
    return toTransfer(result, input.cardId, destinationId);
  };
}

/** The destination's id. Refuses an unknown one, and the source itself, but only after a missing source. */
async function findDestination(deps: TransferDeps, input: TransferBalance): Promise<string> {
  const destinationId = await deps.reader.resolveNumber(deps.secrets.hashNumber(input.destinationCardNumber));
  if (destinationId !== undefined && destinationId !== input.cardId) return destinationId;
  const source = await deps.reader.get(input.merchantId, input.cardId);
  if (source?.programId !== input.programId) throw refusal.cardNotFound('source card');
  throw destinationId === undefined ? refusal.cardNotFound('destination card') : refusal.sameCard();
}

function transfer(view: LedgerView, input: TransferBalance, found: { destinationId: string; codeHash: string }) {
  const source = view.card(input.cardId);
  if (source === undefined) throw refusal.cardNotFound('source card');
  const destination = view.card(found.destinationId);
  if (destination === undefined) throw refusal.cardNotFound('destination card');
  view.checkCode(source, found.codeHash);
  for (const card of [source, destination]) if (card.status !== 'active') throw refusal.cardNotActive(card);
  if (source.balanceMinor < input.amountMinor) throw refusal.insufficientBalance(source);
  if (destination.balanceMinor + input.amountMinor > balanceMinorMax) {
    throw refusal.balanceLimitExceeded(destination, input.amountMinor);
  }
  if (source.currency !== destination.currency) throw refusal.currencyMismatch();
  const transferId = newId(view.now.getTime());
  const notes = { transferId, referenceId: input.referenceId, description: input.description };
  const out = view.post(
    source,
    { ...notes, type: 'TRANSFER_OUT', amountMinor: -input.amountMinor },
    source.balanceMinor === input.amountMinor ? { status: 'depleted' } : {},
  );
  const into = view.post(destination, { ...notes, type: 'TRANSFER_IN', amountMinor: input.amountMinor });
  view.emit('giftcard.transferred', {
    transferId,
    programId: input.programId,
    amount: toDecimal(input.amountMinor),
    currency: source.currency,
    source: { ...cardEventData(out.card), transactionId: out.entry.id },
    destination: { ...cardEventData(into.card), transactionId: into.entry.id },
  });
  return {
    transferId,
    sourceBalanceMinor: out.card.balanceMinor,
    sourceStatus: out.card.status,
    destinationBalanceMinor: into.card.balanceMinor,
    amountMinor: input.amountMinor,
  };
}

function toTransfer(result: LedgerResult, sourceId: string, destinationId: string): Transfer {
  const answer = result.answer as unknown as ReturnType<typeof transfer>;
  const [source, destination] = [result.cards.get(sourceId), result.cards.get(destinationId)];
  if (source === undefined || destination === undefined) throw new Error('a transfer without its cards');
  return {
    transferId: answer.transferId,
    source: { card: source, balanceMinor: answer.sourceBalanceMinor, status: answer.sourceStatus },
    destination: { card: destination, balanceMinor: answer.destinationBalanceMinor },
    amountMinor: answer.amountMinor,
    replayed: result.replayed,
  };
}
