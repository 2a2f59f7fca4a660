import type { mongo } from 'mongoose';
import { balanceMinorMax } from '../domain/money.ts';
import type { CardDocument } from './card-schema.ts';
import { objectId } from './documents.ts';
import type { EntryDocument } from './entry-schema.ts';
import type { IdempotencyDocument } from './idempotency-schema.ts';

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
 */
export async function verifyLedger(db: VerifiedCollections): Promise<LedgerReport> {
  const check = new LedgerCheck();
  const entriesBefore = await db.entries.countDocuments();
  for await (const cards of batches(db.cards.find({}).sort({ _id: 1 }))) {
    const entries = await db.entries
      .find({ merchantId: { $in: distinct(cards, 'merchantId') }, cardId: { $in: cards.map((card) => card._id) } })
      .sort({ sequence: 1 })
      .toArray();
    check.cards(cards, entries);
  }
  await check.openTransfers(db.entries);
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
  /** Transfers of which one entry has been seen; what stays here at the end is looked at again. */
  readonly #open = new Map<string, number>();

  fault(text: string): void {
    this.#faultCount += 1;
    if (this.#faults.length < faultsMax) this.#faults.push(text);
  }

  cards(cards: readonly CardDocument[], entries: readonly EntryDocument[]): void {
    const byCard = Map.groupBy(entries, (entry) => entry.cardId.toHexString());
    for (const card of cards) this.#card(card, byCard.get(card._id.toHexString()) ?? []);
  }

  #card(card: CardDocument, all: readonly EntryDocument[]): void {
    const name = `card ${card._id.toHexString()}`;
    const entries = all.filter((entry) => entry.sequence <= card.entryCount);
    this.#cardCount += 1;
    this.entryCount += entries.length;
    this.#balances[card.currency] = (this.#balances[card.currency] ?? 0) + card.balanceMinor;
    if (!Number.isSafeInteger(card.balanceMinor)) this.fault(`${name}: balance ${card.balanceMinor} is no integer`);
    if (card.balanceMinor < 0) this.fault(`${name}: balance ${card.balanceMinor} is below zero`);
    if (card.balanceMinor > balanceMinorMax) this.fault(`${name}: balance ${card.balanceMinor} is above the limit`);
    if (entries.length !== card.entryCount) {
      this.fault(`${name}: has ${entries.length} entries, not ${card.entryCount}`);
    }
    let balance = 0;
    /** What is left of each redemption. */
    const refundable = new Map<string, number>();
    for (const [index, entry] of entries.entries()) {
      const at = `${name}, entry ${entry._id.toHexString()}`;
      if (entry.sequence !== index + 1) this.fault(`${at}: sequence ${entry.sequence}, not ${index + 1}`);
      if (!entry.merchantId.equals(card.merchantId)) this.fault(`${at}: is of another merchant`);
      if (entry.balanceBeforeMinor !== balance)
        this.fault(`${at}: begins at ${entry.balanceBeforeMinor}, not ${balance}`);
      balance += entry.amountMinor;
      if (entry.balanceAfterMinor !== balance) this.fault(`${at}: ends at ${entry.balanceAfterMinor}, not ${balance}`);
      this.#leg(entry);
      if (entry.type === 'REDEMPTION') refundable.set(entry._id.toHexString(), -entry.amountMinor);
      if (entry.refundOf !== undefined) {
        const redemption = entry.refundOf.toHexString();
        const left = (refundable.get(redemption) ?? 0) - entry.amountMinor;
        if (left < 0) this.fault(`${at}: refunds ${-left} more than redemption ${redemption} was`);
        refundable.set(redemption, left);
      }
    }
    if (balance !== card.balanceMinor)
      this.fault(`${name}: balance ${card.balanceMinor}, but entries sum to ${balance}`);
  }

  #leg(entry: EntryDocument): void {
    const id = entry.transferId?.toHexString();
    if (id === undefined) return;
    const other = this.#open.get(id);
    if (other === undefined) {
      this.#open.set(id, entry.amountMinor);
      return;
    }
    this.#open.delete(id);
    this.#transferCount += 1;
    if (other + entry.amountMinor !== 0)
      this.fault(`transfer ${id}: its entries add up to ${other + entry.amountMinor}`);
  }

  /** A transfer that came while its cards were read shows one entry here; asked for by itself it has both. */
  async openTransfers(entries: mongo.Collection<EntryDocument>): Promise<void> {
    if (this.#open.size === 0) return;
    const found = new Map<string, number[]>();
    for await (const entry of entries.find({ transferId: { $exists: true } })) {
      const id = entry.transferId?.toHexString() ?? '';
      if (this.#open.has(id)) found.set(id, [...(found.get(id) ?? []), entry.amountMinor]);
    }
    for (const [id, legs] of found) {
      this.#transferCount += 1;
      const sum = legs.reduce((total, leg) => total + leg, 0);
      if (legs.length !== 2 || sum !== 0) this.fault(`transfer ${id}: ${legs.length} entries that add up to ${sum}`);
    }
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
