import { type mongo, Schema } from 'mongoose';

/** Calls of one key in one UTC month; a row for each. */
export interface UsageRow {
  _id: mongo.ObjectId;
  merchantId: mongo.ObjectId;
  keyId: mongo.ObjectId;
  /** YYYY-MM. */
  month: string;
  calls: number;
  lastUsedAt: Date;
}

export const usageSchema = new Schema<UsageRow>(
  {
    merchantId: { type: Schema.Types.ObjectId, required: true },
    keyId: { type: Schema.Types.ObjectId, required: true },
    month: { type: String, required: true },
    calls: { type: Number, required: true },
    lastUsedAt: { type: Date, required: true },
  },
  { collection: 'key_usage', versionKey: false },
);
usageSchema.index({ merchantId: 1, keyId: 1, month: -1 }, { unique: true });
