import { type Connection, mongo } from 'mongoose';
import { withTransaction } from '#platform/mongo.ts';
import type { Quotas } from '#platform/quota.ts';
import { type ApiKey, apiKeysMax } from '../domain/api-key.ts';
import type { ApiKeyStore } from '../domain/ports.ts';
import { type ApiKeyRow, apiKeySchema } from './api-key-schema.ts';

const quotaKind = 'api_keys';

export function createApiKeyStore(connection: Connection, quotas: Quotas): ApiKeyStore {
  const model = connection.model<ApiKeyRow>('ApiKey', apiKeySchema);
  return {
    async insert(key, hash, max) {
      await quotas.prepare(key.merchantId, quotaKind);
      return withTransaction(connection, async (session) => {
        if (!(await quotas.take(session, key.merchantId, quotaKind, max))) return false;
        await model.create([toRow(key, hash)], { session });
        return true;
      });
    },
    async findByHash(hash) {
      const row = await model.findOne({ hash }).lean();
      return row ? toApiKey(row) : undefined;
    },
    async list(merchantId) {
      const rows = await model.find({ merchantId }).sort({ createdAt: -1, _id: -1 }).limit(apiKeysMax).lean();
      return rows.map(toApiKey);
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

function toRow({ id, merchantId, userId, ...key }: ApiKey, hash: string): ApiKeyRow {
  const owner = { merchantId: new mongo.ObjectId(merchantId), userId: new mongo.ObjectId(userId) };
  return { _id: new mongo.ObjectId(id), ...owner, ...key, scopes: [...key.scopes], hash };
}

function toApiKey({ _id, merchantId, userId, name, prefix, scopes, ...row }: ApiKeyRow): ApiKey {
  const ids = { id: _id.toHexString(), merchantId: merchantId.toHexString(), userId: userId.toHexString() };
  const { fullAccess, createdAt, expiresAt } = row;
  return { ...ids, name, prefix, scopes, fullAccess, createdAt, expiresAt };
}
