import { type mongo, Schema } from 'mongoose';
import type { RuleSettings } from '../domain/rule.ts';

export interface RuleRow extends RuleSettings {
  _id: mongo.ObjectId;
  merchantId: mongo.ObjectId;
  programId: mongo.ObjectId;
  createdAt: Date;
  updatedAt: Date;
}

// What is in a condition or action depends on its field or type, which the domain has checked.
const part = new Schema({}, { _id: false, strict: false });

export const ruleSchema = new Schema<RuleRow>(
  {
    _id: Schema.Types.ObjectId,
    merchantId: { type: Schema.Types.ObjectId, required: true },
    programId: { type: Schema.Types.ObjectId, required: true },
    name: { type: String, required: true },
    enabled: { type: Boolean, required: true },
    trigger: { type: String, required: true },
    conditions: [part],
    actions: [part],
    startsAt: Date,
    endsAt: Date,
    priority: { type: Number, required: true },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  },
  { collection: 'rules', versionKey: false },
);
ruleSchema.index({ merchantId: 1, programId: 1, priority: -1, _id: 1 });
