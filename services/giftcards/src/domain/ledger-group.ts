import { newId } from '#platform/ids.ts';
import type { DomainEvent } from '#platform/kafka/kafka.ts';
import { type Card, settleCard } from './card.ts';
import { codeLockedForMs } from './code-lock.ts';
import type { LedgerEntry } from './entry.ts';
import { refusal } from './errors.ts';
import type { Answer, EntryDraft, LedgerCommand, LedgerResult, LedgerView } from './ledger-command.ts';
import { assertMinor, balanceMinorMax } from './money.ts';
import type { CodeFailure, IdempotencyRecord, LedgerCommit, LedgerState } from './ports.ts';

/** Accepted with a result, or refused with an error. */
export type Outcome = { readonly result: LedgerResult } | { readonly refused: unknown };

/** What one command did, before it is known whether it is accepted. */
interface Draft {
  readonly cards: Map<string, Card>;
  readonly inserts: Card[];
  readonly entries: LedgerEntry[];
  readonly events: DomainEvent[];
}

/**
 * Applies commands one after another to one read of the database, in memory. Each is accepted or refused on its own;
 * later ones see what earlier ones did. The result is one commit.
 */
export class LedgerGroup {
  /** After every change of the cards that were read, so that times rise card by card whatever replica writes. */
  readonly at: Date;
  readonly failedCodes: CodeFailure[] = [];
  readonly #state: LedgerState;
  readonly #codeFailures: ReadonlyMap<string, readonly Date[]>;
  readonly #cards: Map<string, Card>;
  readonly #inserts: Card[] = [];
  readonly #entries: LedgerEntry[] = [];
  readonly #events: DomainEvent[] = [];
  readonly #records: IdempotencyRecord[] = [];

  /**
   * @param codeFailures wrong security codes by card, oldest first, read while its cards were locked.
   */
  constructor(state: LedgerState, codeFailures: ReadonlyMap<string, readonly Date[]>, now: Date) {
    this.#state = state;
    this.#codeFailures = codeFailures;
    this.#cards = new Map(state.cards);
    let at = now.getTime();
    for (const card of state.cards.values()) at = Math.max(at, card.updatedAt.getTime() + 1);
    this.at = new Date(at);
  }

  apply(command: LedgerCommand): Outcome {
    try {
      const replay = this.#replay(command);
      if (replay !== undefined) return { result: replay };
      const draft: Draft = { cards: new Map(), inserts: [], entries: [], events: [] };
      const answer = command.apply(this.#view(command, draft));
      this.#keep(command, draft, answer);
      const ids = [...command.cardIds, ...draft.inserts.map((card) => card.id)];
      return { result: { answer, replayed: false, cards: this.#show(ids) } };
    } catch (error) {
      return { refused: error };
    }
  }

  /** What there is to write; undefined when no command changed anything. */
  commit(): LedgerCommit | undefined {
    const updates: { before: Card; after: Card }[] = [];
    for (const [id, before] of this.#state.cards) {
      const after = this.#cards.get(id);
      if (after !== undefined && after.version !== before.version) updates.push({ before, after });
    }
    const inserts = this.#inserts.map((card) => this.#cards.get(card.id) ?? card);
    if (updates.length === 0 && inserts.length === 0) return undefined;
    return {
      at: this.at,
      updates,
      inserts,
      entries: this.#entries,
      idempotency: this.#records,
      events: this.#events,
    };
  }

  #replay(command: LedgerCommand): LedgerResult | undefined {
    if (command.idempotency === undefined) return undefined;
    const record = this.#state.idempotency.get(command.idempotency.recordId);
    if (record === undefined) return undefined;
    if (record.fingerprint !== command.idempotency.fingerprint) throw refusal.idempotencyMismatch();
    return { answer: record.answer, replayed: true, cards: this.#show(record.cardIds) };
  }

  #show(cardIds: readonly string[]): ReadonlyMap<string, Card> {
    return new Map(cardIds.flatMap((id) => (this.#cards.has(id) ? [[id, this.#cards.get(id) as Card]] : [])));
  }

  #keep(command: LedgerCommand, draft: Draft, answer: Answer): void {
    for (const [id, card] of draft.cards) this.#cards.set(id, card);
    this.#inserts.push(...draft.inserts);
    this.#entries.push(...draft.entries);
    this.#events.push(...draft.events);
    if (command.idempotency === undefined) return;
    this.#records.push({
      id: command.idempotency.recordId,
      fingerprint: command.idempotency.fingerprint,
      merchantId: command.merchantId,
      action: command.action,
      cardIds: [...command.cardIds, ...draft.inserts.map((card) => card.id)],
      entryIds: draft.entries.map((entry) => entry.id),
      answer,
      createdAt: this.at,
    });
  }

  #view(command: LedgerCommand, draft: Draft): LedgerView {
    const current = (id: string) => draft.cards.get(id) ?? this.#cards.get(id);
    const write = (card: Card, changes: Partial<Card>): Card => {
      const before = current(card.id);
      if (before === undefined) throw new Error(`card ${card.id} was not read`);
      const after = { ...card, ...changes, version: before.version + 1, updatedAt: this.at };
      draft.cards.set(card.id, after);
      return after;
    };
    return {
      now: this.at,
      card: (id) => {
        const card = current(id);
        const own = card?.merchantId === command.merchantId && card.programId === command.programId;
        return card !== undefined && own ? settleCard(card, this.at) : undefined;
      },
      checkCode: (card, codeHash) => this.#checkCode(card, codeHash),
      redemption: (cardId, entryId) => this.#redemption(cardId, entryId),
      insert: (card) => {
        draft.inserts.push(card);
        draft.cards.set(card.id, card);
      },
      update: write,
      post: (card, entry, changes = {}) => {
        const posted = toEntry(card, entry, this.at);
        draft.entries.push(posted);
        const balance = { balanceMinor: posted.balanceAfterMinor, entryCount: posted.sequence };
        return { card: write(card, { ...changes, ...balance }), entry: posted };
      },
      emit: (type, data) =>
        void draft.events.push({
          id: newId(this.at.getTime()),
          type,
          merchantId: command.merchantId,
          timestamp: this.at.toISOString(),
          data,
          ...command.origin,
        }),
    };
  }

  #checkCode(card: Card, codeHash: string): void {
    const earlier = this.#codeFailures.get(card.id) ?? [];
    const now = this.failedCodes.filter((failure) => failure.subject === card.id);
    const lockedMs = codeLockedForMs([...earlier, ...now.map((failure) => failure.at)], this.at);
    if (lockedMs > 0) throw refusal.codeLocked(Math.ceil(lockedMs / 1000));
    if (codesMatch(card.codeHash, codeHash)) return;
    this.failedCodes.push({ subject: card.id, at: this.at });
    throw refusal.incorrectCode();
  }

  #redemption(cardId: string, entryId: string) {
    const entry = this.#state.redemptions.get(entryId) ?? this.#entries.find((posted) => posted.id === entryId);
    if (entry === undefined || entry.cardId !== cardId) return undefined;
    const refunds = [...this.#state.refunds, ...this.#entries].filter((refund) => refund.refundOf === entryId);
    return { entry, refundedMinor: refunds.reduce((sum, refund) => sum + refund.amountMinor, 0) };
  }
}

/** Compares two keyed hashes in constant time. */
export function codesMatch(expected: string, given: string): boolean {
  let difference = expected.length ^ given.length;
  for (let i = 0; i < expected.length; i += 1) difference |= expected.charCodeAt(i) ^ given.charCodeAt(i);
  return difference === 0;
}

function toEntry(card: Card, draft: EntryDraft, at: Date): LedgerEntry {
  const balanceAfterMinor = assertMinor(card.balanceMinor + assertMinor(draft.amountMinor));
  if (balanceAfterMinor < 0) throw refusal.insufficientBalance(card);
  if (balanceAfterMinor > balanceMinorMax) throw refusal.balanceLimitExceeded(card, draft.amountMinor);
  return {
    ...draft,
    id: newId(at.getTime()),
    merchantId: card.merchantId,
    programId: card.programId,
    cardId: card.id,
    sequence: card.entryCount + 1,
    balanceBeforeMinor: card.balanceMinor,
    balanceAfterMinor,
    currency: card.currency,
    createdAt: at,
  };
}
