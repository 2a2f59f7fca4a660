import { type mongo, Schema } from 'mongoose';

export interface MfaRow {
  /** The user's. */
  _id: mongo.ObjectId;
  merchantId: mongo.ObjectId;
  /** Encrypted: codes are made of it. */
  sealedSeed: string;
  enabledAt?: Date;
  lastStep: number;
  recoveryHashes: string[];
}

export interface MfaTriesRow {
  /** The user's. */
  _id: mongo.ObjectId;
  tries: number;
  endsAt: Date;
}

export const mfaSchema = new Schema<MfaRow>(
  {
    _id: Schema.Types.ObjectId,
    merchantId: { type: Schema.Types.ObjectId, required: true },
    sealedSeed: { type: String, required: true },
    enabledAt: Date,
    lastStep: { type: Number, required: true },
    recoveryHashes: { type: [String], required: true },
  },
  { collection: 'mfa', versionKey: false },
);

const triesSchema = (collection: string) =>
  new Schema<MfaTriesRow>(
    {
      _id: Schema.Types.ObjectId,
      tries: { type: Number, required: true },
      endsAt: { type: Date, required: true },
    },
    { collection, versionKey: false },
  ).index({ endsAt: 1 }, { expireAfterSeconds: 0 });

export const mfaTriesSchema = triesSchema('mfa_tries');
export const mfaSettingsTriesSchema = triesSchema('mfa_settings_tries');
