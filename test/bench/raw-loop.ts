import mongoose, { type mongo } from 'mongoose';
import { type CardDocument, cardCollection } from '../../services/giftcards/src/store/card-schema.ts';
import { type EntryDocument, entryCollection } from '../../services/giftcards/src/store/entry-schema.ts';
import {
  type IdempotencyDocument,
  idempotencyCollection,
} from '../../services/giftcards/src/store/idempotency-schema.ts';
import { cardCount, pickTwo } from './fixture.ts';
import { Abandoned } from './measure.ts';

type ObjectId = mongo.BSON.ObjectId;
const { ObjectId } = mongoose.mongo;

/** The official driver doing what a transfer writes, one transaction a transfer, with nothing around it. */
export interface RawLoop {
  /** One transfer between two random cards, or out of the hot card; tried again while others get in its way. */
  transfer(hot: boolean, signal: AbortSignal): Promise<void>;
  /** Reads one random card by id. */
  findCard(): Promise<void>;
  close(): Promise<void>;
}

const transaction = { readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority', j: true } } as const;

/** Makes a database of its own beside the stack's, with the service's indexes and as many cards. */
export async function createRawLoop(mongodbUri: string): Promise<RawLoop> {
  const connection = await mongoose
    .createConnection(mongodbUri, { dbName: 'bench_raw', autoIndex: false, maxPoolSize: 128, ignoreUndefined: true })
    .asPromise();
  const client = connection.getClient();
  const db = {
    cards: cardCollection(connection),
    entries: entryCollection(connection),
    idempotency: idempotencyCollection(connection),
    outbox: connection.collection('outbox') as unknown as mongo.Collection,
  };
  for (const model of Object.values(connection.models)) await model.createIndexes();
  await db.outbox.createIndex({ at: 1 });
  const cards = Array.from({ length: cardCount + 1 }, rawCard);
  await db.cards.insertMany(cards);
  const ids = cards.map((card) => card._id);
  const hotId = ids.pop() as ObjectId;

  const write = async (session: mongo.ClientSession, sourceId: ObjectId, destinationId: ObjectId) => {
    const source = (await db.cards.findOne({ _id: sourceId }, { session })) as CardDocument;
    const destination = (await db.cards.findOne({ _id: destinationId }, { session })) as CardDocument;
    const at = new Date();
    const transferId = new ObjectId();
    const moves = [
      { card: source, amountMinor: -1, type: 'TRANSFER_OUT' },
      { card: destination, amountMinor: 1, type: 'TRANSFER_IN' },
    ] as const;
    const updated = await db.cards.bulkWrite(
      moves.map(({ card, amountMinor }) => ({
        updateOne: {
          filter: { _id: card._id, version: card.version, balanceMinor: card.balanceMinor },
          update: {
            $set: {
              balanceMinor: card.balanceMinor + amountMinor,
              version: card.version + 1,
              entryCount: card.entryCount + 1,
              updatedAt: at,
            },
          },
        },
      })),
      { session },
    );
    if (updated.matchedCount !== moves.length) throw new Error('a card changed within a snapshot');
    const entries = moves.map(({ card, amountMinor, type }) => rawEntry(card, { amountMinor, type, transferId, at }));
    await db.entries.insertMany(entries, { session });
    await db.idempotency.insertOne(rawRecord(source, destination, transferId, at), { session });
    await db.outbox.insertOne(rawOutboxRow(source, destination, transferId, at), { session });
  };

  return {
    async transfer(hot, signal) {
      const [sourceId, destinationId] = pickTwo(ids, hot ? hotId : undefined);
      const session = client.startSession();
      try {
        while (!(await attempt(session, () => write(session, sourceId, destinationId)))) {
          if (signal.aborted) throw new Abandoned();
        }
      } finally {
        await session.endSession();
      }
    },
    async findCard() {
      await db.cards.findOne({ _id: pickTwo(ids)[0] });
    },
    async close() {
      await connection.dropDatabase();
      await connection.close();
    },
  };
}

/** One transaction; false when another one got in its way. */
async function attempt(session: mongo.ClientSession, work: () => Promise<void>): Promise<boolean> {
  session.startTransaction(transaction);
  try {
    await work();
    await session.commitTransaction();
    return true;
  } catch (error) {
    if (session.inTransaction()) await session.abortTransaction().catch(() => undefined);
    if (error instanceof mongoose.mongo.MongoError && error.hasErrorLabel('TransientTransactionError')) return false;
    throw error;
  }
}

const merchantId = new ObjectId();
const programId = new ObjectId();

function rawCard(): CardDocument {
  const now = new Date();
  return {
    _id: new ObjectId(),
    merchantId,
    programId,
    version: 2,
    entryCount: 1,
    sealedNumber: 'k1.'.padEnd(62, 'x'),
    numberHash: new ObjectId().toHexString().padEnd(43, 'x'),
    lastFourDigits: '1234',
    codeHash: ''.padEnd(43, 'x'),
    currency: 'GBP',
    balanceMinor: 500_000,
    initialValueMinor: 500_000,
    status: 'active',
    createdAt: now,
    updatedAt: now,
    activatedAt: now,
    expiresAt: new Date(now.getTime() + 1e10),
    isPhysical: false,
    merchantName: 'Demo',
    delivered: false,
  };
}

interface RawMove {
  readonly amountMinor: number;
  readonly type: 'TRANSFER_OUT' | 'TRANSFER_IN';
  readonly transferId: ObjectId;
  readonly at: Date;
}

function rawEntry(card: CardDocument, move: RawMove): EntryDocument {
  return {
    _id: new ObjectId(),
    merchantId,
    programId,
    cardId: card._id,
    sequence: card.entryCount + 1,
    type: move.type,
    amountMinor: move.amountMinor,
    balanceBeforeMinor: card.balanceMinor,
    balanceAfterMinor: card.balanceMinor + move.amountMinor,
    currency: 'GBP',
    transferId: move.transferId,
    createdAt: move.at,
  };
}

function rawRecord(
  source: CardDocument,
  destination: CardDocument,
  transferId: ObjectId,
  at: Date,
): IdempotencyDocument {
  return {
    _id: transferId.toHexString().padEnd(43, 'x'),
    merchantId: merchantId.toHexString(),
    fingerprint: ''.padEnd(43, 'x'),
    action: 'transfer',
    cardIds: [source._id.toHexString(), destination._id.toHexString()],
    entryIds: [new ObjectId().toHexString(), new ObjectId().toHexString()],
    answer: {
      transferId: transferId.toHexString(),
      sourceBalanceMinor: 1,
      sourceStatus: 'active',
      destinationBalanceMinor: 1,
      amountMinor: 1,
    },
    createdAt: at,
  };
}

function rawOutboxRow(source: CardDocument, destination: CardDocument, transferId: ObjectId, at: Date) {
  const side = (card: CardDocument) => ({
    cardId: card._id.toHexString(),
    programId: programId.toHexString(),
    lastFourDigits: card.lastFourDigits,
    status: card.status,
    balance: '5000.00',
    currency: 'GBP',
    transactionId: transferId.toHexString(),
  });
  const data = {
    transferId: transferId.toHexString(),
    amount: '0.01',
    source: side(source),
    destination: side(destination),
  };
  const event = { id: transferId.toHexString(), type: 'giftcard.transferred', timestamp: at.toISOString(), data };
  const json = JSON.stringify(event);
  return { _id: new ObjectId(), at, events: [{ id: event.id, type: event.type, merchantId: event.id, json }] };
}
