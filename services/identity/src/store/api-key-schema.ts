import { type mongo, Schema } from 'mongoose';
import type { Scope } from '#platform/scopes.ts';

export interface ApiKeyRow {
  _id: mongo.ObjectId;
  merchantId: mongo.ObjectId;
  userId: mongo.ObjectId;
  hash: string;
  name: string;
  prefix: string;
  scopes: Scope[];
  fullAccess: boolean;
  createdAt: Date;
  expiresAt?: Date;
}

export const apiKeySchema = new Schema<ApiKeyRow>(
  {
    _id: Schema.Types.ObjectId,
    merchantId: { type: Schema.Types.ObjectId, required: true },
    userId: { type: Schema.Types.ObjectId, required: true },
    hash: { type: String, required: true },
    name: { type: String, required: true },
    prefix: { type: String, required: true },
    scopes: { type: [String], required: true },
    fullAccess: { type: Boolean, required: true },
    createdAt: { type: Date, required: true },
    expiresAt: Date,
  },
  { collection: 'api_keys', versionKey: false },
);
apiKeySchema.index({ merchantId: 1, createdAt: -1, _id: -1 });
// A global look-up: the secret is all that its bearer shows.
apiKeySchema.index({ hash: 1 }, { unique: true });
