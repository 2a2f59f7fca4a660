import type { Connection, Model } from 'mongoose';
import { isDuplicateKey } from '#platform/mongo/mongo.ts';
import type { Logger } from '#platform/telemetry/logging.ts';
import { codeTriesMax, codeWindowMs } from '../domain/mfa.ts';
import type { CodeUse, MfaTries } from '../domain/mfa-ports.ts';
import { type MfaTriesRow, mfaSettingsTriesSchema, mfaTriesSchema } from './mfa-schema.ts';

const reserveAttemptsMax = 5;

export function createMfaTriesStore(connection: Connection, logger: Logger): MfaTries {
  const models: Readonly<Record<CodeUse, Model<MfaTriesRow>>> = {
    log_in: connection.model<MfaTriesRow>('MfaTries', mfaTriesSchema),
    settings: connection.model<MfaTriesRow>('MfaSettingsTries', mfaSettingsTriesSchema),
  };
  /** What follows a change that is made already; a user who has a try less for a while loses less than its answer. */
  const attempt = async (change: () => Promise<unknown>) => {
    try {
      await change();
    } catch (error) {
      logger.warn({ err: (error as Error).message }, 'tries of codes were not given back');
    }
  };
  return {
    async reserve(use, userId, now) {
      const model = models[use];
      for (let attemptsMade = 0; attemptsMade < reserveAttemptsMax; attemptsMade += 1) {
        const endsAt = await count(model, userId, now);
        if (endsAt !== undefined) return { endsAt };
        const row = await model.findById(userId).lean();
        // Else the window began or ended at this moment.
        const isFull = row !== null && row.endsAt > now && row.tries >= codeTriesMax;
        if (isFull) return { waitMs: row.endsAt.getTime() - now.getTime() };
      }
      return { waitMs: 1_000 };
    },
    giveBack: (use, userId, endsAt) =>
      attempt(() => models[use].updateOne({ _id: userId, endsAt, tries: { $gt: 0 } }, { $inc: { tries: -1 } })),
    async clear(userId) {
      for (const model of Object.values(models)) await attempt(() => model.deleteOne({ _id: userId }));
    },
  };
}

/** One more in the window under way, or the first of a new one; undefined when neither can be. @returns the window's end. */
async function count(model: Model<MfaTriesRow>, userId: string, now: Date): Promise<Date | undefined> {
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
}
