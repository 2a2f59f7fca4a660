import { type mongo, Schema } from 'mongoose';

export interface AppKeyRow {
  _id: mongo.ObjectId;
  merchantId: mongo.ObjectId;
  userId: mongo.ObjectId;
  name: string;
  createdAt: Date;
}

export const appKeySchema = new Schema<AppKeyRow>(
  {
    _id: Schema.Types.ObjectId,
    merchantId: { type: Schema.Types.ObjectId, required: true },
    userId: { type: Schema.Types.ObjectId, required: true },
    name: { type: String, required: true },
    createdAt: { type: Date, required: true },
  },
  { collection: 'app_keys', versionKey: false },
);
appKeySchema.index({ merchantId: 1, createdAt: -1, _id: -1 });
