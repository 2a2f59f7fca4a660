import { type Connection, type mongo, Schema } from 'mongoose';
import type { LedgerEntry } from '../domain/entry.ts';

type ObjectId = mongo.BSON.ObjectId;

/** A ledger entry as it is stored; never updated or deleted. */
export interface EntryDocument
  extends Omit<LedgerEntry, 'id' | 'merchantId' | 'programId' | 'cardId' | 'transferId' | 'refundOf'> {
  _id: ObjectId;
  merchantId: ObjectId;
  programId: ObjectId;
  cardId: ObjectId;
  transferId?: ObjectId;
  refundOf?: ObjectId;
}

const id = { type: Schema.Types.ObjectId, required: true } as const;
const amount = { type: Number, required: true } as const;

const entrySchema = new Schema<EntryDocument>(
  {
    merchantId: id,
    programId: id,
    cardId: id,
    sequence: amount,
    type: { type: String, required: true },
    amountMinor: amount,
    balanceBeforeMinor: amount,
    balanceAfterMinor: amount,
    currency: { type: String, required: true },
    transferId: Schema.Types.ObjectId,
    refundOf: Schema.Types.ObjectId,
    referenceId: String,
    description: String,
    posTransactionId: String,
    cashierId: String,
    terminalId: String,
    createdAt: { type: Date, required: true },
  },
  { collection: 'entries', versionKey: false },
)
  // Unique: a second writer of a card's next entry is refused even if every other guard failed.
  .index({ merchantId: 1, cardId: 1, sequence: 1 }, { unique: true })
  .index({ refundOf: 1 }, { sparse: true });

/** The collection of ledger entries, as the official driver gives it. */
export function entryCollection(connection: Connection): mongo.Collection<EntryDocument> {
  return connection.model('Entry', entrySchema).collection as unknown as mongo.Collection<EntryDocument>;
}
