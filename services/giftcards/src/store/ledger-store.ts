import mongoose, { type ClientSession, type mongo } from 'mongoose';
import { isDuplicateKey, isTransient } from '#platform/mongo/mongo.ts';
import type { Outbox } from '#platform/mongo/outbox.ts';
import { delay } from '#platform/retry.ts';
import type { Card } from '../domain/card.ts';
import type { LedgerEntry } from '../domain/entry.ts';
import { refusal } from '../domain/errors.ts';
import type { IdempotencyRecord, LedgerCommit, LedgerState, LedgerStateRequest, LedgerStore } from '../domain/ports.ts';
import type { CardDocument } from './card-schema.ts';
import { objectId, searchFields, toCard, toCardDocument, toEntry, toEntryDocument } from './documents.ts';
import type { EntryDocument } from './entry-schema.ts';
import type { IdempotencyDocument } from './idempotency-schema.ts';
import type { WriterSessions } from './writer-sessions.ts';

export interface LedgerCollections {
  readonly cards: mongo.Collection<CardDocument>;
  readonly entries: mongo.Collection<EntryDocument>;
  readonly idempotency: mongo.Collection<IdempotencyDocument>;
  readonly outbox: Outbox;
}

const transactionOptions = { readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority', j: true } } as const;
/** For how long an unanswered commit is asked about again, while the database restarts or fails over. */
const commitMsMax = 30_000;

/** The ledger's reads and its one transaction. */
export class MongoLedgerStore implements LedgerStore {
  readonly #sessions: WriterSessions;
  readonly #db: LedgerCollections;

  constructor(sessions: WriterSessions, collections: LedgerCollections) {
    this.#sessions = sessions;
    this.#db = collections;
  }

  /** Reads side by side, outside the transaction: what they saw is what the commit's conditions check. */
  async load(request: LedgerStateRequest): Promise<LedgerState> {
    const [cards, records] = await Promise.all([
      byIds(this.#db.cards, request.cardIds),
      request.idempotencyIds.length === 0
        ? []
        : this.#db.idempotency.find({ _id: { $in: [...request.idempotencyIds] } }).toArray(),
    ]);
    // After the cards: a refund that comes in between is missed by neither, for it changes its card's version.
    const [redemptions, refunds] = await Promise.all([
      byIds(this.#db.entries, request.redemptionIds),
      this.#refundsOf(request.redemptionIds),
    ]);
    return {
      cards: new Map(cards.map((document) => [document._id.toHexString(), toCard(document)])),
      idempotency: new Map(records.map(({ _id, ...rest }): [string, IdempotencyRecord] => [_id, { ...rest, id: _id }])),
      redemptions: new Map(redemptions.map((document) => [document._id.toHexString(), toEntry(document)])),
      refunds,
    };
  }

  async commit(commit: LedgerCommit): Promise<boolean> {
    return this.#sessions.use(async (session) => {
      session.startTransaction(transactionOptions);
      return (await this.#write(commit, session)) && this.#finish(commit, session);
    });
  }

  async #refundsOf(redemptionIds: readonly string[]): Promise<LedgerEntry[]> {
    if (redemptionIds.length === 0) return [];
    return (await this.#db.entries.find({ refundOf: { $in: redemptionIds.map(objectId) } }).toArray()).map(toEntry);
  }

  /** False, and rolled back, when a condition did not hold or another transaction was first. */
  async #write(commit: LedgerCommit, session: ClientSession): Promise<boolean> {
    try {
      if (await this.#writeAll(commit, session)) return true;
      await session.abortTransaction();
      return false;
    } catch (error) {
      await session.abortTransaction().catch(() => undefined);
      if (isTransient(error) || isDuplicateKey(error) || codeOf(error) === codes.interrupted) return false;
      throw error;
    }
  }

  async #writeAll(commit: LedgerCommit, session: ClientSession): Promise<boolean> {
    if (commit.updates.length > 0) {
      const result = await this.#db.cards.bulkWrite(commit.updates.map(toConditionalUpdate), { session });
      if (result.matchedCount !== commit.updates.length) return false;
    }
    if (commit.inserts.length > 0) await this.#db.cards.insertMany(commit.inserts.map(toCardDocument), { session });
    if (commit.entries.length > 0) await this.#db.entries.insertMany(commit.entries.map(toEntryDocument), { session });
    if (commit.idempotency.length > 0) {
      const records = commit.idempotency.map(({ id, ...rest }): IdempotencyDocument => ({ ...rest, _id: id }));
      await this.#db.idempotency.insertMany(records, { session });
    }
    await this.#db.outbox.append(session, commit.at, commit.events);
    return true;
  }

  /** Commits; when the answer got lost, asks until it is certain. */
  async #finish(commit: LedgerCommit, session: ClientSession): Promise<boolean> {
    const giveUpAt = Date.now() + commitMsMax;
    for (let attempt = 1; ; attempt += 1) {
      try {
        await session.commitTransaction();
        this.#db.outbox.wake();
        return true;
      } catch (error) {
        if (isOver(error)) return this.#isCommitted(commit);
        if (Date.now() >= giveUpAt) throw refusal.outcomeUnknown(error);
        await delay(Math.min(1_000, 50 * 2 ** Math.min(attempt, 5)));
      }
    }
  }

  /** Whether a transaction that is over did commit: all of it did if any part is there. Reads what no failover can undo. */
  async #isCommitted(commit: LedgerCommit): Promise<boolean> {
    const certain = { readConcern: { level: 'linearizable' }, maxTimeMS: commitMsMax } as const;
    const entry = commit.entries[0];
    if (entry !== undefined) return (await this.#db.entries.findOne({ _id: objectId(entry.id) }, certain)) !== null;
    const inserted = commit.inserts[0];
    if (inserted !== undefined) return (await this.#db.cards.findOne({ _id: objectId(inserted.id) }, certain)) !== null;
    const update = commit.updates[0];
    if (update === undefined) return true;
    const card = await this.#db.cards.findOne({ _id: objectId(update.after.id) }, certain);
    if (card?.version === update.before.version) return false;
    if (card?.version === update.after.version && card.updatedAt.getTime() === commit.at.getTime()) return true;
    throw refusal.outcomeUnknown('the card has moved on');
  }
}

const codes = { noSuchTransaction: 251, interrupted: 11601 } as const;

function codeOf(error: unknown): unknown {
  return error instanceof mongoose.mongo.MongoServerError ? error.code : undefined;
}

/**
 * Whether the server itself said that the transaction is no more: it was rolled back, or it committed and a restarted
 * server has forgotten it. A lost connection says nothing of the kind: the commit may still be under way.
 */
function isOver(error: unknown): boolean {
  return codeOf(error) === codes.noSuchTransaction || (codeOf(error) !== undefined && isTransient(error));
}

async function byIds<D extends { _id: mongo.BSON.ObjectId }>(
  collection: mongo.Collection<D>,
  ids: readonly string[],
): Promise<mongo.WithId<D>[]> {
  if (ids.length === 0) return [];
  return collection.find({ _id: { $in: ids.map(objectId) } } as mongo.Filter<D>).toArray();
}

/** Writes what changed, if the card is still as it was read. */
function toConditionalUpdate({
  before,
  after,
}: LedgerCommit['updates'][number]): mongo.AnyBulkWriteOperation<CardDocument> {
  const $set: Record<string, unknown> = {};
  const $unset: Record<string, ''> = {};
  let unsets = false;
  for (const key of Object.keys({ ...before, ...after }) as (keyof Card)[]) {
    if (before[key] === after[key]) continue;
    if (fixedFields.has(key)) throw new Error(`a card's ${key} never changes`);
    if (after[key] === undefined) {
      $unset[key] = '';
      unsets = true;
    } else {
      $set[key] = after[key];
    }
  }
  if ('customerEmail' in $set || 'customerName' in $set) Object.assign($set, searchFields(after));
  const filter = { _id: objectId(before.id), version: before.version, balanceMinor: before.balanceMinor };
  return { updateOne: { filter, update: unsets ? { $set, $unset } : { $set } } };
}

/** Stored in another form than the domain's, so an update must not copy them. */
const fixedFields: ReadonlySet<keyof Card> = new Set(['id', 'merchantId', 'programId', 'customerId'] as const);
