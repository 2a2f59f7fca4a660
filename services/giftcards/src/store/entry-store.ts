import type { mongo } from 'mongoose';
import type { Card } from '../domain/card.ts';
import type { LedgerEntry } from '../domain/entry.ts';
import type { EntryReader, PageWindow } from '../domain/ports.ts';
import { objectId, toEntry } from './documents.ts';
import type { EntryDocument } from './entry-schema.ts';

/** A search looks at no more than this many of a card's newest entries. */
const searchedMax = 10_000;

/** Reads of ledger entries. */
export class EntryStore implements EntryReader {
  readonly #entries: mongo.Collection<EntryDocument>;

  constructor(entries: mongo.Collection<EntryDocument>) {
    this.#entries = entries;
  }

  async list(
    card: Card,
    query: string | undefined,
    page: PageWindow,
  ): Promise<{ entries: LedgerEntry[]; total: number }> {
    if (query !== undefined) return this.#search(card, query, page);
    // Sequences have no gaps, so a page is a range of them: however long the history, only the page is read.
    const last = card.entryCount - page.offset;
    const entries = await this.#range(card, last - page.limit, last);
    return { entries, total: card.entryCount };
  }

  async #search(card: Card, query: string, page: PageWindow): Promise<{ entries: LedgerEntry[]; total: number }> {
    const text = query.trim().toLowerCase();
    const recent = await this.#range(card, card.entryCount - searchedMax, card.entryCount);
    const found = recent.filter((entry) =>
      [entry.id, entry.type, entry.referenceId, entry.description, entry.posTransactionId].some((field) =>
        field?.toLowerCase().includes(text),
      ),
    );
    return { entries: found.slice(page.offset, page.offset + page.limit), total: found.length };
  }

  /** Entries with `after` < sequence ≤ `last`, newest first. */
  async #range(card: Card, after: number, last: number): Promise<LedgerEntry[]> {
    if (last <= 0) return [];
    const documents = await this.#entries
      .find({
        merchantId: objectId(card.merchantId),
        cardId: objectId(card.id),
        sequence: { $gt: Math.max(0, after), $lte: last },
      })
      .sort({ sequence: -1 })
      .toArray();
    return documents.map(toEntry);
  }
}
