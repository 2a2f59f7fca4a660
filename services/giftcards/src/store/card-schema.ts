import { type Connection, type mongo, Schema } from 'mongoose';
import type { Card } from '../domain/card.ts';

type ObjectId = mongo.BSON.ObjectId;

/** A card as it is stored: ids as ObjectIds, search fields in lower case, absent fields left out. */
export interface CardDocument extends Omit<Card, 'id' | 'merchantId' | 'programId' | 'customerId'> {
  _id: ObjectId;
  merchantId: ObjectId;
  programId: ObjectId;
  customerId?: ObjectId;
  customerEmailLower?: string;
  customerNameLower?: string;
}

const required = { type: String, required: true } as const;
const amount = { type: Number, required: true } as const;

const cardSchema = new Schema<CardDocument>(
  {
    merchantId: { type: Schema.Types.ObjectId, required: true },
    programId: { type: Schema.Types.ObjectId, required: true },
    version: amount,
    entryCount: amount,
    sealedNumber: required,
    numberHash: required,
    lastFourDigits: required,
    codeHash: required,
    currency: required,
    balanceMinor: amount,
    initialValueMinor: amount,
    status: required,
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
    activatedAt: Date,
    expiresAt: { type: Date, required: true },
    suspendedReason: String,
    suspendedAt: Date,
    suspendedUntil: Date,
    customerId: Schema.Types.ObjectId,
    customerEmail: String,
    customerPhone: String,
    customerName: String,
    customerEmailLower: String,
    customerNameLower: String,
    senderName: String,
    merchantName: String,
    isPhysical: { type: Boolean, required: true },
    designTemplate: String,
    customMessage: String,
    deliverAt: Date,
    delivered: { type: Boolean, required: true },
  },
  { collection: 'cards', versionKey: false },
)
  .index({ merchantId: 1, programId: 1, _id: -1 })
  // The one look-up across merchants: whoever has the number may ask for the balance.
  .index({ numberHash: 1 }, { unique: true });

/** The collection of cards, as the official driver gives it: hot paths pay for no document wrapping. */
export function cardCollection(connection: Connection): mongo.Collection<CardDocument> {
  return connection.model('Card', cardSchema).collection as unknown as mongo.Collection<CardDocument>;
}
