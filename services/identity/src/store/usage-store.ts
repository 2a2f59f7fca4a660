import { type Connection, mongo } from 'mongoose';
import type { UsageStore } from '../domain/ports.ts';
import { type UsageRow, usageSchema } from './usage-schema.ts';

export function createUsageStore(connection: Connection): UsageStore {
  const model = connection.model<UsageRow>('KeyUsage', usageSchema);
  return {
    async calls(merchantId, keyId, month) {
      return (await model.findOne({ merchantId, keyId, month }, { calls: 1 }).lean())?.calls ?? 0;
    },
    async months(merchantId, keyId, max) {
      const rows = await model.find({ merchantId, keyId }).sort({ month: -1 }).limit(max).lean();
      return rows.map(({ month, calls }) => ({ keyId, month, calls }));
    },
    async lastUsed(merchantId, keyIds) {
      const own = {
        merchantId: new mongo.ObjectId(merchantId),
        keyId: { $in: keyIds.map((id) => new mongo.ObjectId(id)) },
      };
      const rows = await model.aggregate<{ _id: mongo.ObjectId; at: Date }>([
        { $match: own },
        { $group: { _id: '$keyId', at: { $max: '$lastUsedAt' } } },
      ]);
      return new Map(rows.map(({ _id, at }) => [_id.toHexString(), at]));
    },
    async raise(counts, now) {
      if (counts.length === 0) return;
      const writes = counts.map(({ merchantId, keyId, month, calls }) => {
        const filter = { merchantId: new mongo.ObjectId(merchantId), keyId: new mongo.ObjectId(keyId), month };
        return { updateOne: { filter, update: { $max: { calls, lastUsedAt: now } }, upsert: true } };
      });
      await model.bulkWrite(writes, { ordered: false });
    },
  };
}
