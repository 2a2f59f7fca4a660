import { type mongo, Schema } from 'mongoose';

export interface SessionRow {
  _id: mongo.ObjectId;
  merchantId: mongo.ObjectId;
  userId: mongo.ObjectId;
  createdAt: Date;
  expiresAt: Date;
  endedAt?: Date;
}

export interface RefreshTokenRow {
  _id: mongo.ObjectId;
  hash: string;
  merchantId: mongo.ObjectId;
  userId: mongo.ObjectId;
  sessionId: mongo.ObjectId;
  expiresAt: Date;
  usedAt?: Date;
}

const id = { type: Schema.Types.ObjectId, required: true };
const time = { type: Date, required: true };

export const sessionSchema = new Schema<SessionRow>(
  { _id: Schema.Types.ObjectId, merchantId: id, userId: id, createdAt: time, expiresAt: time, endedAt: Date },
  { collection: 'sessions', versionKey: false },
);
sessionSchema.index({ merchantId: 1, userId: 1 });
sessionSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

/** A row for each token, used ones too: that is how a second use is known from a made-up token. */
export const refreshTokenSchema = new Schema<RefreshTokenRow>(
  {
    hash: { type: String, required: true },
    merchantId: id,
    userId: id,
    sessionId: id,
    expiresAt: time,
    usedAt: Date,
  },
  { collection: 'refresh_tokens', versionKey: false },
);
// A global look-up: the token is all that its bearer shows.
refreshTokenSchema.index({ hash: 1 }, { unique: true });
refreshTokenSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
