import { type Connection, type mongo, Schema } from 'mongoose';
import { newId } from '#platform/ids.ts';
import { codeLockedForMs, codeLockMs } from '../domain/code-lock.ts';
import type { CodeAttempts, CodeFailure } from '../domain/ports.ts';

interface AttemptDocument {
  _id: string;
  /** Oldest first. */
  failures: { id: string; at: Date }[];
  updatedAt: Date;
}

const attemptSchema = new Schema<AttemptDocument>(
  {
    _id: { type: String, required: true },
    failures: [{ _id: false, id: String, at: Date }],
    updatedAt: { type: Date, required: true },
  },
  { collection: 'code_attempts', versionKey: false },
).index({ updatedAt: 1 }, { expireAfterSeconds: (2 * codeLockMs) / 1000 });

/** The collection of wrong security codes, as the official driver gives it. */
export function codeAttemptCollection(connection: Connection): mongo.Collection<AttemptDocument> {
  return connection.model('CodeAttempt', attemptSchema).collection as unknown as mongo.Collection<AttemptDocument>;
}

/** Reads and counts wrong security codes. */
export class CodeAttemptStore implements CodeAttempts {
  readonly #attempts: mongo.Collection<AttemptDocument>;

  constructor(connection: Connection) {
    this.#attempts = codeAttemptCollection(connection);
  }

  async reserve(subject: string, now: Date): Promise<{ attemptId: string; lockedForMs: number }> {
    const attemptId = newId(now.getTime());
    const failures = (await this.#push(subject, { id: attemptId, at: now })).map((failure) => failure.at);
    return { attemptId, lockedForMs: codeLockedForMs(failures, now) };
  }

  async forgive(subject: string, attemptId: string): Promise<void> {
    await this.#attempts.updateOne({ _id: subject }, { $pull: { failures: { id: attemptId } } });
  }

  async recordFailures(failures: readonly CodeFailure[]): Promise<void> {
    for (const { subject, at } of failures) await this.#push(subject, { id: newId(at.getTime()), at });
  }

  /** The failures of these subjects, oldest first. */
  async load(subjects: readonly string[]): Promise<Map<string, Date[]>> {
    if (subjects.length === 0) return new Map();
    const found = await this.#attempts.find({ _id: { $in: [...subjects] } }).toArray();
    return new Map(found.map((attempt) => [attempt._id, attempt.failures.map((failure) => failure.at)]));
  }

  /**
   * Pushes never drop older failures: a flood of reserved attempts that are taken back must not wash real ones away.
   * Failures go when they are too old to count.
   * @returns those that were there before this one.
   */
  async #push(subject: string, failure: AttemptDocument['failures'][number]): Promise<AttemptDocument['failures']> {
    const after = await this.#attempts.findOneAndUpdate(
      { _id: subject },
      { $push: { failures: failure }, $set: { updatedAt: failure.at } },
      { upsert: true, returnDocument: 'after' },
    );
    const tooOld = new Date(failure.at.getTime() - 2 * codeLockMs);
    const all = after?.failures ?? [];
    if (all.some(({ at }) => at < tooOld)) {
      await this.#attempts.updateOne({ _id: subject }, { $pull: { failures: { at: { $lt: tooOld } } } });
    }
    return all.slice(
      0,
      all.findIndex(({ id }) => id === failure.id),
    );
  }
}
