import { type Connection, mongo } from 'mongoose';
import { isId } from '#platform/ids.ts';
import { withTransaction } from '#platform/mongo/mongo.ts';
import type { Quotas } from '#platform/mongo/quota.ts';
import type { AppKey } from '../domain/app-key.ts';
import type { AppKeyStore } from '../domain/ports.ts';
import { type AppKeyRow, appKeySchema } from './app-key-schema.ts';

const quotaKind = 'app_keys';

export function createAppKeyStore(connection: Connection, quotas: Quotas): AppKeyStore {
  const model = connection.model<AppKeyRow>('AppKey', appKeySchema);
  return {
    async insert({ id, merchantId, userId, name, createdAt }, max) {
      const owner = { merchantId: new mongo.ObjectId(merchantId), userId: new mongo.ObjectId(userId) };
      await quotas.prepare(merchantId, quotaKind);
      return withTransaction(connection, async (session) => {
        if (!(await quotas.take(session, merchantId, quotaKind, max))) return false;
        await model.create([{ _id: new mongo.ObjectId(id), ...owner, name, createdAt }], { session });
        return true;
      });
    },
    async get(merchantId, id) {
      const row = isId(id) ? await model.findOne({ merchantId, _id: id }).lean() : null;
      return row ? toAppKey(row) : undefined;
    },
    async list(merchantId, { offset, limit }) {
      const newestFirst = model.find({ merchantId }).sort({ createdAt: -1, _id: -1 });
      const rows = await newestFirst.skip(offset).limit(limit).lean();
      return { rows: rows.map(toAppKey), total: await model.countDocuments({ merchantId }) };
    },
    delete(merchantId, id) {
      return withTransaction(connection, async (session) => {
        const { deletedCount } = await model.deleteOne({ merchantId, _id: id }, { session });
        if (deletedCount === 1) await quotas.giveBack(session, merchantId, quotaKind);
        return deletedCount === 1;
      });
    },
  };
}

function toAppKey({ _id, merchantId, userId, name, createdAt }: AppKeyRow): AppKey {
  const ids = { id: _id.toHexString(), merchantId: merchantId.toHexString(), userId: userId.toHexString() };
  return { ...ids, name, createdAt };
}
