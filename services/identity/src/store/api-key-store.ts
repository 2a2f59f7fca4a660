import { type Connection, mongo } from 'mongoose';
import { withTransaction } from '#platform/mongo/mongo.ts';
import type { Quotas } from '#platform/mongo/quota.ts';
import type { ApiKey } from '../domain/api-key.ts';
import type { ApiKeyStore } from '../domain/ports.ts';
import { type ApiKeyRow, apiKeySchema, type DeletedKeyRow, deletedKeySchema } from './api-key-schema.ts';

const quotaKind = 'api_keys';
const after = { returnDocument: 'after' } as const;

export function createApiKeyStore(connection: Connection, quotas: Quotas): ApiKeyStore {
  const model = connection.model<ApiKeyRow>('ApiKey', apiKeySchema);
  const deletedKeys = connection.model<DeletedKeyRow>('DeletedApiKey', deletedKeySchema);
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
      const row = (await model.findOne({ hash }).lean()) ?? (await model.findOne({ previousHash: hash }).lean());
      return row ? { key: toApiKey(row), isPrevious: row.hash !== hash } : undefined;
    },
    async get(merchantId, id) {
      const row = await model.findOne({ merchantId, _id: id }).lean();
      return row ? { key: toApiKey(row), hash: row.hash } : undefined;
    },
    async list(merchantId, { offset, limit }) {
      const newestFirst = model.find({ merchantId }).sort({ createdAt: -1, _id: -1 });
      const rows = await newestFirst.skip(offset).limit(limit).lean();
      return { rows: rows.map(toApiKey), total: await model.countDocuments({ merchantId }) };
    },
    async rotate(merchantId, id, { fromHash, hash, prefix, rotatedAt, previousExpiresAt }) {
      const unchanged = { merchantId, _id: id, hash: fromHash, frozenAt: { $exists: false } };
      const newest = { hash, prefix, rotatedAt };
      const update =
        previousExpiresAt === undefined
          ? { $set: newest, $unset: { previousHash: 1, previousExpiresAt: 1 } }
          : { $set: { ...newest, previousHash: fromHash, previousExpiresAt } };
      return orNone(await model.findOneAndUpdate(unchanged, update, after).lean());
    },
    async freeze(merchantId, id, now) {
      const working = { merchantId, _id: id, frozenAt: { $exists: false } };
      return orNone(await model.findOneAndUpdate(working, { $set: { frozenAt: now } }, after).lean());
    },
    async unfreeze(merchantId, id) {
      const frozen = { merchantId, _id: id, frozenAt: { $exists: true } };
      return orNone(await model.findOneAndUpdate(frozen, { $unset: { frozenAt: 1 } }, after).lean());
    },
    delete(merchantId, id, now) {
      return withTransaction(connection, async (session) => {
        const row = await model.findOneAndDelete({ merchantId, _id: id }, { session }).lean();
        if (row === null) return undefined;
        const owner = { _id: row._id, merchantId: row.merchantId };
        await deletedKeys.create([{ ...owner, deletedAt: now }], { session });
        await quotas.giveBack(session, merchantId, quotaKind);
        return toApiKey(row);
      });
    },
    async wasDeleted(merchantId, id) {
      return (await deletedKeys.exists({ merchantId, _id: id })) !== null;
    },
    async merchantsOf(ids) {
      const known = { _id: { $in: ids.map((id) => new mongo.ObjectId(id)) } };
      const rows = [
        ...(await model.find(known, { merchantId: 1 }).lean()),
        ...(await deletedKeys.find(known, { merchantId: 1 }).lean()),
      ];
      return new Map(rows.map(({ _id, merchantId }) => [_id.toHexString(), merchantId.toHexString()]));
    },
  };
}

function toRow({ id, merchantId, userId, sandboxId, ...key }: ApiKey, hash: string): ApiKeyRow {
  const owner = { merchantId: new mongo.ObjectId(merchantId), userId: new mongo.ObjectId(userId) };
  const sandbox = sandboxId === undefined ? {} : { sandboxId: new mongo.ObjectId(sandboxId) };
  return { _id: new mongo.ObjectId(id), ...owner, ...sandbox, ...key, scopes: [...key.scopes], hash };
}

function orNone(row: ApiKeyRow | null): ApiKey | undefined {
  return row === null ? undefined : toApiKey(row);
}

function toApiKey({ _id, merchantId, userId, sandboxId, name, prefix, scopes, ...row }: ApiKeyRow): ApiKey {
  const ids = { id: _id.toHexString(), merchantId: merchantId.toHexString(), userId: userId.toHexString() };
  const { fullAccess, createdAt, expiresAt, frozenAt, rotatedAt, previousExpiresAt } = row;
  return {
    ...{ ...ids, name, prefix, scopes, fullAccess, createdAt, expiresAt, frozenAt, rotatedAt, previousExpiresAt },
    sandboxId: sandboxId?.toHexString(),
  };
}
