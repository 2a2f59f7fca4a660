import type { Connection } from 'mongoose';
import { isDuplicateKey } from '#platform/mongo.ts';
import { codeTriesMax, codeWindowMs } from '../domain/mfa.ts';
import type { MfaTries } from '../domain/mfa-ports.ts';
import { type MfaTriesRow, mfaTriesSchema } from './mfa-schema.ts';

const reserveAttemptsMax = 5;

export function createMfaTriesStore(connection: Connection): MfaTries {
  const model = connection.model<MfaTriesRow>('MfaTries', mfaTriesSchema);
  /** One more in the window under way, or the first of a new one; undefined when neither can be. */
  const count = async (userId: string, now: Date): Promise<boolean> => {
    const more = { _id: userId, endsAt: { $gt: now }, tries: { $lt: codeTriesMax } };
    if ((await model.updateOne(more, { $inc: { tries: 1 } })).matchedCount === 1) return true;
    const first = { tries: 1, endsAt: new Date(now.getTime() + codeWindowMs) };
    try {
      await model.updateOne({ _id: userId, endsAt: { $lte: now } }, { $set: first }, { upsert: true });
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  };
  return {
    async reserve(userId, now) {
      for (let attempt = 1; attempt <= reserveAttemptsMax; attempt += 1) {
        if (await count(userId, now)) return 0;
        const row = await model.findById(userId).lean();
        // Else the window began or ended at this moment.
        if (row !== null && row.endsAt > now && row.tries >= codeTriesMax) return row.endsAt.getTime() - now.getTime();
      }
      return 1_000;
    },
    async clear(userId) {
      await model.deleteOne({ _id: userId });
    },
  };
}
