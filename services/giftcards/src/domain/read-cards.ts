import { type Card, settleCard } from './card.ts';
import type { LedgerEntry } from './entry.ts';
import { refusal } from './errors.ts';
import type { CardFilter, CardReader, Clock, EntryReader, PageWindow } from './ports.ts';

/** A card is shown with at most this many of its newest transactions. */
const transactionsMax = 250;

/** One card of a program. @throws AppError `card_not_found`. */
export function createGetCard(deps: { reader: CardReader; entries: EntryReader; clock: Clock }) {
  return async (
    merchantId: string,
    where: { programId: string; cardId: string; withTransactions?: boolean },
  ): Promise<{ card: Card; transactions: LedgerEntry[] }> => {
    const card = await requireCard(deps.reader, merchantId, where);
    const { entries } = where.withTransactions
      ? await deps.entries.list(card, undefined, { offset: 0, limit: transactionsMax })
      : { entries: [] };
    return { card: settleCard(card, deps.clock()), transactions: entries };
  };
}

/** Those of these cards that are in the program, in no order. */
export function createGetCards(deps: { reader: CardReader; clock: Clock }) {
  return async (merchantId: string, programId: string, cardIds: readonly string[]): Promise<Card[]> => {
    const found = await Promise.all(cardIds.map((cardId) => deps.reader.get(merchantId, cardId)));
    const now = deps.clock();
    return found.flatMap((card) => (card?.programId === programId ? [settleCard(card, now)] : []));
  };
}

/** Cards of a program, newest first. */
export function createListCards(deps: { reader: CardReader; clock: Clock }) {
  return async (
    merchantId: string,
    filter: CardFilter,
    page: PageWindow,
  ): Promise<{ cards: Card[]; total: number }> => {
    const found = await deps.reader.list(merchantId, filter, page);
    const now = deps.clock();
    return { cards: found.cards.map((card) => settleCard(card, now)), total: found.total };
  };
}

/** A card's ledger entries, newest first. @throws AppError `card_not_found`. */
export function createListTransactions(deps: { reader: CardReader; entries: EntryReader }) {
  return async (
    merchantId: string,
    where: { programId: string; cardId: string; query?: string },
    page: PageWindow,
  ): Promise<{ entries: LedgerEntry[]; total: number }> => {
    const card = await requireCard(deps.reader, merchantId, where);
    return deps.entries.list(card, where.query, page);
  };
}

async function requireCard(
  reader: CardReader,
  merchantId: string,
  where: { programId: string; cardId: string },
): Promise<Card> {
  const card = await reader.get(merchantId, where.cardId);
  if (card === undefined || card.programId !== where.programId) throw refusal.cardNotFound();
  return card;
}
