import { type Connection, mongo } from 'mongoose';
import { isId } from '#platform/ids.ts';
import type { RefreshToken, Session } from '../domain/session.ts';
import type { SessionStore } from '../domain/session-ports.ts';
import { type RefreshTokenRow, refreshTokenSchema, type SessionRow, sessionSchema } from './session-schema.ts';

export function createSessionStore(connection: Connection): SessionStore {
  const sessions = connection.model<SessionRow>('Session', sessionSchema);
  const tokens = connection.model<RefreshTokenRow>('RefreshToken', refreshTokenSchema);
  return {
    async insert({ id, merchantId, userId, createdAt, expiresAt }, first) {
      const owner = { merchantId: new mongo.ObjectId(merchantId), userId: new mongo.ObjectId(userId) };
      await sessions.create({ _id: new mongo.ObjectId(id), ...owner, createdAt, expiresAt });
      await tokens.create(toTokenRow(first));
    },
    async get(sessionId) {
      const row = isId(sessionId) ? await sessions.findById(sessionId).lean() : null;
      return row ? toSession(row) : undefined;
    },
    async findRefreshToken(hash) {
      const row = await tokens.findOne({ hash }).lean();
      return row ? toRefreshToken(row) : undefined;
    },
    async rotate(usedHash, next, now) {
      const { merchantId, sessionId, expiresAt } = next;
      // The next token first: nobody knows it yet, and a failure after it leaves the given one as good as before.
      await tokens.create(toTokenRow(next));
      await sessions.updateOne({ _id: sessionId, merchantId }, { $max: { expiresAt } });
      const unused = { hash: usedHash, usedAt: { $exists: false } };
      const { modifiedCount } = await tokens.updateOne(unused, { $set: { usedAt: now } });
      if (modifiedCount === 0) await tokens.deleteOne({ hash: next.hash });
      return modifiedCount === 1;
    },
    async end(merchantId, sessionId, now) {
      const running = { _id: sessionId, merchantId, endedAt: { $exists: false } };
      const { modifiedCount } = await sessions.updateOne(running, { $set: { endedAt: now } });
      return modifiedCount === 1;
    },
    async endAll(merchantId, userId, now, keptId) {
      const others = keptId === undefined ? {} : { _id: { $ne: keptId } };
      const running = { merchantId, userId, ...others, endedAt: { $exists: false }, expiresAt: { $gt: now } };
      const { modifiedCount } = await sessions.updateMany(running, { $set: { endedAt: now } });
      return modifiedCount;
    },
  };
}

function toTokenRow({ merchantId, userId, sessionId, ...token }: RefreshToken): Omit<RefreshTokenRow, '_id'> {
  return {
    ...token,
    merchantId: new mongo.ObjectId(merchantId),
    userId: new mongo.ObjectId(userId),
    sessionId: new mongo.ObjectId(sessionId),
  };
}

function toRefreshToken({ hash, merchantId, userId, sessionId, expiresAt, usedAt }: RefreshTokenRow): RefreshToken {
  const ids = {
    merchantId: merchantId.toHexString(),
    userId: userId.toHexString(),
    sessionId: sessionId.toHexString(),
  };
  return { hash, ...ids, expiresAt, usedAt };
}

function toSession({ _id, merchantId, userId, createdAt, expiresAt, endedAt }: SessionRow): Session {
  const ids = { id: _id.toHexString(), merchantId: merchantId.toHexString(), userId: userId.toHexString() };
  return { ...ids, createdAt, expiresAt, endedAt };
}
