import type { EventOrigin } from '#platform/kafka/event-origin.ts';
import type { Card } from './card.ts';
import type { EntryNotes, EntryType, LedgerEntry } from './entry.ts';
import type { Minor } from './money.ts';

/** What a command leaves for the caller, and for a repeat of it; plain JSON without secrets. */
export type Answer = Readonly<Record<string, unknown>>;

/** How a repeat of a command is recognised. */
export interface IdempotencyClaim {
  readonly recordId: string;
  readonly fingerprint: string;
}

/** A line for a card's ledger; the view fills in the rest. */
export interface EntryDraft extends EntryNotes {
  readonly type: EntryType;
  /** Signed. */
  readonly amountMinor: Minor;
  readonly transferId?: string;
  readonly refundOf?: string;
}

/** What a command may see and do while it is applied. Everything a command that throws did is undone. */
export interface LedgerView {
  readonly now: Date;
  /** The card as the commands before it left it, of the command's merchant and program only. */
  card(cardId: string): Card | undefined;
  /** Refuses a wrong or locked security code; a wrong one is counted even though the command fails. */
  checkCode(card: Card, codeHash: string): void;
  /** A redemption of this card, with what refunds have already given back. */
  redemption(cardId: string, entryId: string): { entry: LedgerEntry; refundedMinor: Minor } | undefined;
  insert(card: Card): void;
  /** Changes a card without moving money. */
  update(card: Card, changes: Partial<Card>): Card;
  /** Moves money: adds an entry and changes the balance by its amount, never below 0 or above the limit. */
  post(card: Card, entry: EntryDraft, changes?: Partial<Card>): { card: Card; entry: LedgerEntry };
  emit(type: string, data: Readonly<Record<string, unknown>>): void;
}

/** A change to cards, applied in memory; it runs again when its group has to be retried, so it has no other effects. */
export interface LedgerCommand {
  /** The verb, such as `transfer`. */
  readonly action: string;
  /** Who asks; absent when nobody does, as at expiry. */
  readonly origin?: EventOrigin;
  readonly merchantId: string;
  readonly programId: string;
  /** Every existing card that it reads or changes. */
  readonly cardIds: readonly string[];
  /** The card whose security code it checks. */
  readonly codeCardId?: string;
  readonly redemptionId?: string;
  readonly idempotency?: IdempotencyClaim;
  /** @throws AppError to refuse. */
  apply(view: LedgerView): Answer;
}

/** How a command ended. */
export interface LedgerResult {
  readonly answer: Answer;
  /** True when the first command with this idempotency key gave the answer. */
  readonly replayed: boolean;
  /** The command's cards as they are now. */
  readonly cards: ReadonlyMap<string, Card>;
}
