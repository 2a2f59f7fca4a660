import { type Connection, type mongo, Schema } from 'mongoose';

/** A delivery as stored. */
export interface DeliveryRow {
  _id: mongo.BSON.ObjectId;
  merchantId: mongo.BSON.ObjectId;
  endpointId: mongo.BSON.ObjectId;
  eventId: mongo.BSON.ObjectId;
  type: string;
  /** The exact body; goes when it is delivered. */
  payload?: string;
  status: 'pending' | 'delivered' | 'failed';
  attempts: number;
  /** When a pending one is looked at next: for its next try or, while a try is under way, when the claim lapses. */
  nextAttemptAt: Date;
  /** The end of the claim under way, and its token. */
  lockedUntil?: Date;
  lockedBy?: string;
  lastStatus?: number;
  lastError?: string;
  occurredAt: Date;
  createdAt: Date;
  /** When a finished one is forgotten. */
  expiresAt?: Date;
}

const schema = new Schema<DeliveryRow>(
  {
    merchantId: { type: Schema.Types.ObjectId, required: true },
    endpointId: { type: Schema.Types.ObjectId, required: true },
    eventId: { type: Schema.Types.ObjectId, required: true },
    type: { type: String, required: true },
    payload: String,
    status: { type: String, enum: ['pending', 'delivered', 'failed'], required: true },
    attempts: { type: Number, required: true },
    nextAttemptAt: { type: Date, required: true },
    lockedUntil: Date,
    lockedBy: String,
    lastStatus: Number,
    lastError: String,
    occurredAt: { type: Date, required: true },
    createdAt: { type: Date, required: true },
    expiresAt: Date,
  },
  { versionKey: false, collection: 'deliveries' },
);
// One delivery an endpoint and event, whatever Kafka repeats.
schema.index({ merchantId: 1, endpointId: 1, eventId: 1 }, { unique: true });
// The workers' view across merchants: which endpoints have something due, and what.
schema.index({ status: 1, endpointId: 1, nextAttemptAt: 1, _id: 1 });
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

/** Registers the model, for its indexes, and gives the collection. */
export function deliveryCollection(connection: Connection) {
  connection.model<DeliveryRow>('Delivery', schema);
  return connection.collection<DeliveryRow>('deliveries');
}
