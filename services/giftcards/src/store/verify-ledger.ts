import type { mongo } from 'mongoose';
import type { CardDocument } from './card-schema.ts';
import { objectId } from './documents.ts';
import type { EntryDocument } from './entry-schema.ts';
import type { IdempotencyDocument } from './idempotency-schema.ts';
import { CardCheck } from './verify-card.ts';
import { type TransferReport, verifyTransfers } from './verify-transfers.ts';

/** What {@link verifyLedger} counted, and every fault it found (the first {@link faultsMax}). */
export interface LedgerReport {
  readonly cards: number;
  readonly entries: number;
  readonly transfers: number;
  readonly idempotencyRecords: number;
  /** Sum of all balances by currency, minor units. */
  readonly balances: Readonly<Record<string, number>>;
  readonly faultCount: number;
  readonly faults: readonly string[];
}

export interface VerifiedCollections {
  readonly cards: mongo.Collection<CardDocument>;
  readonly entries: mongo.Collection<EntryDocument>;
  readonly idempotency: mongo.Collection<IdempotencyDocument>;
}

const batchMax = 500;
const faultsMax = 100;

/**
 * Proves a whole database: every balance is the sum of its entries and within its bounds, each card's entries are an
 * unbroken chain, every transfer has two entries that add up to zero, no entry is without a card, and no idempotency
 * record without its change. It may run while the service works: a card's entries up to its own entry count never change.
 *
 * @param halvesMax - transfers of which one entry alone is remembered at once; more take more passes
 */
export async function verifyLedger(db: VerifiedCollections, halvesMax?: number): Promise<LedgerReport> {
  const check = new LedgerCheck();
  const entriesBefore = await db.entries.countDocuments();
  for await (const cards of batches(db.cards.find({}).sort({ _id: 1 }))) {
    // Card by card rather than all at once: a card may have very many.
    const query = { merchantId: { $in: distinct(cards, 'merchantId') }, cardId: { $in: cards.map(({ _id }) => _id) } };
    await check.cards(cards, db.entries.find(query).sort({ cardId: 1, sequence: 1 }));
  }
  for await (const report of verifyTransfers(db.entries, halvesMax)) check.transfers(report);
  if (check.entryCount < entriesBefore) {
    check.fault(`${entriesBefore - check.entryCount} entries belong to no card, or lie past their card's entry count`);
  }
  for await (const records of batches(db.idempotency.find({}))) await check.records(records, db);
  return check.report();
}

class LedgerCheck {
  entryCount = 0;
  #cardCount = 0;
  #transferCount = 0;
  #recordCount = 0;
  #faultCount = 0;
  readonly #faults: string[] = [];
  readonly #balances: Record<string, number> = {};

  fault(text: string): void {
    this.#faultCount += 1;
    if (this.#faults.length < faultsMax) this.#faults.push(text);
  }

  /** @param entries - of these cards, those of one together, by sequence */
  async cards(cards: readonly CardDocument[], entries: AsyncIterable<EntryDocument>): Promise<void> {
    const checks = new Map(
      cards.map((card) => [card._id.toHexString(), new CardCheck(card, (text) => this.fault(text))]),
    );
    for await (const entry of entries) checks.get(entry.cardId.toHexString())?.entry(entry);
    for (const [index, check] of [...checks.values()].entries()) {
      const { currency, balanceMinor } = cards[index]!;
      this.#cardCount += 1;
      this.entryCount += check.end();
      this.#balances[currency] = (this.#balances[currency] ?? 0) + balanceMinor;
    }
  }

  transfers({ transfers, faults }: TransferReport): void {
    this.#transferCount += transfers;
    for (const fault of faults) this.fault(fault);
  }

  async records(records: readonly IdempotencyDocument[], db: VerifiedCollections): Promise<void> {
    this.#recordCount += records.length;
    const known = await existing(db.entries, [...new Set(records.flatMap((record) => record.entryIds))]);
    const cards = await existing(db.cards, [...new Set(records.flatMap((record) => record.cardIds))]);
    for (const record of records) {
      const lost = [
        ...record.entryIds.filter((id) => !known.has(id)).map((id) => `entry ${id}`),
        ...record.cardIds.filter((id) => !cards.has(id)).map((id) => `card ${id}`),
      ];
      if (lost.length > 0) this.fault(`idempotency record ${record._id}: ${lost.join(', ')} missing`);
    }
  }

  report(): LedgerReport {
    return {
      cards: this.#cardCount,
      entries: this.entryCount,
      transfers: this.#transferCount,
      idempotencyRecords: this.#recordCount,
      balances: this.#balances,
      faultCount: this.#faultCount,
      faults: this.#faults,
    };
  }
}

/** Which of these ids the collection has. */
async function existing<D extends { _id: mongo.BSON.ObjectId }>(
  collection: mongo.Collection<D>,
  ids: readonly string[],
): Promise<Set<string>> {
  const query = { _id: { $in: ids.map(objectId) } } as mongo.Filter<D>;
  const found = await collection.find(query, { projection: { _id: 1 } }).toArray();
  return new Set(found.map((document) => document._id.toHexString()));
}

async function* batches<D>(cursor: AsyncIterable<D>): AsyncGenerator<D[]> {
  let batch: D[] = [];
  for await (const document of cursor) {
    batch.push(document);
    if (batch.length < batchMax) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function distinct(cards: readonly CardDocument[], key: 'merchantId'): mongo.BSON.ObjectId[] {
  return [...new Map(cards.map((card) => [card[key].toHexString(), card[key]])).values()];
}
