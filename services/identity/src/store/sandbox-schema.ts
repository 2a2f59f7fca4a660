import { type mongo, Schema } from 'mongoose';

/** A merchant's twin, on which its test keys work; its `_id` is a merchant's id to every other service. */
export interface SandboxRow {
  _id: mongo.ObjectId;
  merchantId: mongo.ObjectId;
  createdAt: Date;
}

export const sandboxSchema = new Schema<SandboxRow>(
  {
    _id: Schema.Types.ObjectId,
    merchantId: { type: Schema.Types.ObjectId, required: true },
    createdAt: { type: Date, required: true },
  },
  { collection: 'sandboxes', versionKey: false },
);
// One twin for a merchant, however many first keys are made at once.
sandboxSchema.index({ merchantId: 1 }, { unique: true });
