import type { Connection } from 'mongoose';
import { isDuplicateKey } from '#platform/mongo.ts';
import { codeTriesMax, codeWindowMs } from '../domain/mfa.ts';
import type { MfaTries } from '../domain/mfa-ports.ts';
import { type MfaTriesRow, mfaTriesSchema } from './mfa-schema.ts';

const reserveAttemptsMax = 5;

export function createMfaTriesStore(connection: Connection): MfaTries {
  const model = connection.model<MfaTriesRow>('MfaTries', mfaTriesSchema);
  /** One more in the window under way, or the first of a new one; undefined when neither can be. @returns the window's end. */
  const count = async (userId: string, now: Date): Promise<Date | undefined> => {
    const more = { _id: userId, endsAt: { $gt: now }, tries: { $lt: codeTriesMax } };
    const counted = await model.findOneAndUpdate(more, { $inc: { tries: 1 } }, { returnDocument: 'after' }).lean();
    if (counted !== null) return counted.endsAt;
    const first = { tries: 1, endsAt: new Date(now.getTime() + codeWindowMs) };
    try {
      await model.updateOne({ _id: userId, endsAt: { $lte: now } }, { $set: first }, { upsert: true });
      return first.endsAt;
    } catch (error) {
      if (isDuplicateKey(error)) return undefined;
      throw error;
    }
  };
  return {
    async reserve(userId, now) {
      for (let attempt = 1; attempt <= reserveAttemptsMax; attempt += 1) {
        const endsAt = await count(userId, now);
        if (endsAt !== undefined) return { endsAt };
        const row = await model.findById(userId).lean();
        // Else the window began or ended at this moment.
        const isFull = row !== null && row.endsAt > now && row.tries >= codeTriesMax;
        if (isFull) return { waitMs: row.endsAt.getTime() - now.getTime() };
      }
      return { waitMs: 1_000 };
    },
    async giveBack(userId, endsAt) {
      await model.updateOne({ _id: userId, endsAt, tries: { $gt: 0 } }, { $inc: { tries: -1 } });
    },
    async clear(userId) {
      await model.deleteOne({ _id: userId });
    },
  };
}
