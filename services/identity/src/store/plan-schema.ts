import { type mongo, Schema } from 'mongoose';
import type { PlanName } from '../domain/plan.ts';

/** A merchant without one has the free plan. */
export interface PlanRow {
  /** The merchant's id. */
  _id: mongo.ObjectId;
  plan: PlanName;
  perMinute?: number;
  perHour?: number;
  perMonth?: number;
  updatedAt: Date;
}

export const planSchema = new Schema<PlanRow>(
  {
    _id: Schema.Types.ObjectId,
    plan: { type: String, required: true },
    perMinute: Number,
    perHour: Number,
    perMonth: Number,
    updatedAt: { type: Date, required: true },
  },
  { collection: 'merchant_plans', versionKey: false },
);
