import { type Connection, type mongo, Schema } from 'mongoose';
import type { IdempotencyRecord } from '../domain/ports.ts';

/** An idempotency record as it is stored; it goes after {@link idempotencyDays}. */
export interface IdempotencyDocument extends Omit<IdempotencyRecord, 'id'> {
  _id: string;
}

/** How long a repeat is recognised. */
export const idempotencyDays = 7;

const recordSchema = new Schema<IdempotencyDocument>(
  {
    _id: { type: String, required: true },
    merchantId: { type: String, required: true },
    fingerprint: { type: String, required: true },
    action: { type: String, required: true },
    cardIds: [String],
    entryIds: [String],
    answer: Schema.Types.Mixed,
    createdAt: { type: Date, required: true },
  },
  { collection: 'idempotency', versionKey: false },
).index({ createdAt: 1 }, { expireAfterSeconds: idempotencyDays * 86_400 });

/** The collection of idempotency records, as the official driver gives it. */
export function idempotencyCollection(connection: Connection): mongo.Collection<IdempotencyDocument> {
  const model = connection.model('IdempotencyRecord', recordSchema);
  return model.collection as unknown as mongo.Collection<IdempotencyDocument>;
}
