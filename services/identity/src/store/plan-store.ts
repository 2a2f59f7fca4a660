import { type Connection, mongo } from 'mongoose';
import { usualPlan } from '../domain/plan.ts';
import type { PlanStore } from '../domain/ports.ts';
import { type PlanRow, planSchema } from './plan-schema.ts';

export function createPlanStore(connection: Connection): PlanStore {
  const model = connection.model<PlanRow>('MerchantPlan', planSchema);
  return {
    async get(merchantId) {
      const row = await model.findById(merchantId).lean();
      if (row === null) return usualPlan(merchantId);
      const { plan, perMinute, perHour, perMonth } = row;
      return { merchantId, plan, perMinute, perHour, perMonth };
    },
    async put({ merchantId, ...plan }, now) {
      const row = { ...plan, updatedAt: now };
      await model.replaceOne({ _id: new mongo.ObjectId(merchantId) }, row, { upsert: true });
    },
  };
}
