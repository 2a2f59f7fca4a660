import { type mongo, Schema } from 'mongoose';
import { type ConsentRow, consentSchema, type UtmRow, utmSchema } from './signup-schema.ts';

export interface UserRow {
  _id: mongo.ObjectId;
  merchantId: mongo.ObjectId;
  email: string;
  storedPassword: string;
  name?: string;
  company?: string;
  emailVerified?: Date;
  active: boolean;
  admin: boolean;
  /** How often a transaction has claimed it. */
  claims?: number;
  image?: string;
  location?: string;
  website?: string;
  country?: string;
  consent?: ConsentRow;
  utm?: UtmRow;
  createdAt: Date;
}

export const userSchema = new Schema<UserRow>(
  {
    _id: Schema.Types.ObjectId,
    merchantId: { type: Schema.Types.ObjectId, required: true },
    email: { type: String, required: true },
    storedPassword: { type: String, required: true },
    name: String,
    company: String,
    emailVerified: Date,
    active: { type: Boolean, required: true },
    admin: { type: Boolean, required: true },
    claims: Number,
    image: String,
    location: String,
    website: String,
    country: String,
    consent: consentSchema,
    utm: utmSchema,
    createdAt: { type: Date, required: true },
  },
  { collection: 'users', versionKey: false },
);
// A global look-up: one address is one user, whatever the merchant.
userSchema.index({ email: 1 }, { unique: true });
