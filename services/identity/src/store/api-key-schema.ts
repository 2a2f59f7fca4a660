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
  sandboxId?: mongo.ObjectId;
  frozenAt?: Date;
  rotatedAt?: Date;
  previousHash?: string;
  previousExpiresAt?: Date;
}

/** Whose a deleted key was. */
export interface DeletedKeyRow {
  _id: mongo.ObjectId;
  merchantId: mongo.ObjectId;
  deletedAt: Date;
}

/** Longer than the months of usage that are shown. */
const deletedKeySeconds = 420 * 24 * 3600;

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
    sandboxId: Schema.Types.ObjectId,
    frozenAt: Date,
    rotatedAt: Date,
    previousHash: String,
    previousExpiresAt: Date,
  },
  { collection: 'api_keys', versionKey: false },
);
apiKeySchema.index({ merchantId: 1, createdAt: -1, _id: -1 });
// Global look-ups: the secret is all that its bearer shows.
apiKeySchema.index({ hash: 1 }, { unique: true });
apiKeySchema.index({ previousHash: 1 }, { unique: true, sparse: true });

export const deletedKeySchema = new Schema<DeletedKeyRow>(
  {
    _id: Schema.Types.ObjectId,
    merchantId: { type: Schema.Types.ObjectId, required: true },
    deletedAt: { type: Date, required: true },
  },
  { collection: 'deleted_api_keys', versionKey: false },
);
deletedKeySchema.index({ deletedAt: 1 }, { expireAfterSeconds: deletedKeySeconds });
