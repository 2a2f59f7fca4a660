import { type Connection, mongo } from 'mongoose';
import { isId } from '#platform/ids.ts';
import { isDuplicateKey } from '#platform/mongo/mongo.ts';
import type { UserStore } from '../domain/ports.ts';
import type { User } from '../domain/user.ts';
import { type UserRow, userSchema } from './user-schema.ts';

export function createUserStore(connection: Connection): UserStore {
  const model = connection.model<UserRow>('User', userSchema);
  return {
    async get(userId) {
      const row = isId(userId) ? await model.findById(userId, { storedPassword: 0 }).lean() : null;
      return row ? toUser(row) : undefined;
    },
    async findByEmail(email) {
      const row = await model.findOne({ email }).lean();
      return row ? { user: toUser(row), storedPassword: row.storedPassword } : undefined;
    },
    async insert({ id, merchantId, ...user }, storedPassword) {
      const ids = { _id: new mongo.ObjectId(id), merchantId: new mongo.ObjectId(merchantId) };
      try {
        await model.create({ ...ids, ...user, storedPassword });
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
    async setActive(merchantId, userId, active) {
      await model.updateOne({ _id: userId, merchantId }, { $set: { active } });
    },
    async setAdmin(merchantId, userId) {
      await model.updateOne({ _id: userId, merchantId }, { $set: { admin: true } });
    },
    async claim(merchantId, userId) {
      const { matchedCount } = await model.updateOne(
        { _id: userId, merchantId, active: true },
        { $inc: { claims: 1 } },
      );
      return matchedCount === 1;
    },
  };
}

function toUser(row: Omit<UserRow, 'storedPassword'>): User {
  const { name, company, emailVerified, image, location, website, country, consent, utm } = row;
  return {
    id: row._id.toHexString(),
    merchantId: row.merchantId.toHexString(),
    email: row.email,
    active: row.active,
    admin: row.admin,
    createdAt: row.createdAt,
    ...{ name, company, emailVerified, image, location, website, country, consent, utm },
  };
}
