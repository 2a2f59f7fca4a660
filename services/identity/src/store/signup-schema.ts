import { type mongo, Schema } from 'mongoose';

export interface ConsentRow {
  tosAt: Date;
  dpaAt: Date;
  privacyAt: Date;
  network?: string;
}

export interface UtmRow {
  source?: string;
  medium?: string;
  campaign?: string;
}

export interface SignupRow {
  /** Of the user and the merchant that it becomes; there is no merchant before. */
  _id: mongo.ObjectId;
  email: string;
  submittedAt?: Date;
  mails: { at: Date; network: string }[];
  submissions: {
    codeHash: string;
    expiresAt: Date;
    storedPassword: string;
    name: string;
    company: string;
    country: string;
    consent: ConsentRow;
    utm?: UtmRow;
  }[];
  completed?: { codeHash: string; expiresAt: Date };
  purgeAt: Date;
}

const time = { type: Date, required: true };
const string = { type: String, required: true };

export const consentSchema = new Schema<ConsentRow>(
  { tosAt: time, dpaAt: time, privacyAt: time, network: String },
  { _id: false },
);

export const utmSchema = new Schema<UtmRow>({ source: String, medium: String, campaign: String }, { _id: false });

const submissionSchema = new Schema<SignupRow['submissions'][number]>(
  {
    ...{ codeHash: string, expiresAt: time, storedPassword: string, name: string, company: string, country: string },
    ...{ consent: { type: consentSchema, required: true }, utm: utmSchema },
  },
  { _id: false },
);

export const signupSchema = new Schema<SignupRow>(
  {
    _id: Schema.Types.ObjectId,
    email: string,
    submittedAt: Date,
    mails: [new Schema({ at: time, network: String }, { _id: false })],
    submissions: [submissionSchema],
    completed: new Schema({ codeHash: string, expiresAt: time }, { _id: false }),
    purgeAt: time,
  },
  { collection: 'signups', versionKey: false },
);
// A global look-up: one address is one sign-up.
signupSchema.index({ email: 1 }, { unique: true });
signupSchema.index({ purgeAt: 1 }, { expireAfterSeconds: 0 });
