import { type mongo, Schema } from 'mongoose';
import type { GiftCardSettings, ProgramProfile, ProgramType } from '../domain/program.ts';

export interface ProgramRow extends ProgramProfile {
  _id: mongo.ObjectId;
  merchantId: mongo.ObjectId;
  name: string;
  type: ProgramType;
  currency: string;
  giftCard: GiftCardSettings;
  createdAt: Date;
  updatedAt: Date;
}

export const programSchema = new Schema<ProgramRow>(
  {
    _id: Schema.Types.ObjectId,
    merchantId: { type: Schema.Types.ObjectId, required: true },
    name: { type: String, required: true },
    type: { type: String, required: true },
    currency: { type: String, required: true },
    giftCard: {
      expiryDays: { type: Number, required: true },
      bulkThreshold: { type: Number, required: true },
    },
    description: String,
    language: String,
    country: String,
    company: String,
    address: String,
    website: String,
    email: String,
    phone: String,
    terms: String,
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  },
  { collection: 'programs', versionKey: false },
);
programSchema.index({ merchantId: 1, createdAt: -1, _id: -1 });
