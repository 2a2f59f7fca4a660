import { type Connection, mongo } from 'mongoose';
import { isDuplicateKey } from '#platform/mongo/mongo.ts';
import { retry } from '#platform/retry.ts';
import { type Signup, signupKeptMs } from '../domain/signup.ts';
import type { SignupStore } from '../domain/signup-ports.ts';
import { type SignupRow, signupSchema } from './signup-schema.ts';

const purgeAt = (now: Date) => new Date(now.getTime() + signupKeptMs);
/** In place of the e-mail, which the sign-up that made its account keeps: no address has a space. */
const afterAccount = ' after its account';
const ensureBounds = { attemptsMax: 5, delayMs: 5, delayMsMax: 50 };

export function createSignupStore(connection: Connection): SignupStore {
  const model = connection.model<SignupRow>('Signup', signupSchema);
  return {
    async ensure(email, id, now) {
      const fresh = { _id: new mongo.ObjectId(id), mails: [], submissions: [], purgeAt: purgeAt(now) };
      const rowOf = (key: string) => {
        const upsert = () =>
          model
            .findOneAndUpdate({ email: key }, { $setOnInsert: fresh }, { upsert: true, returnDocument: 'after' })
            .select({ _id: 1, completed: 1 })
            .lean();
        // Of upserts at once the unique index lets one through; the others find it when they look again.
        return retry(upsert, ensureBounds, isDuplicateKey);
      };
      const row = await rowOf(email);
      const { _id } = row.completed === undefined ? row : await rowOf(email + afterAccount);
      return _id.toHexString();
    },
    async get(id) {
      const row = await model.findById(id).lean();
      return row ? toSignup(row) : undefined;
    },
    async save({ id, email: _, mails, submissions, ...signup }) {
      const lists = { mails: [...mails], submissions: [...submissions] };
      // By requests alone: whether it was completed does not show in how long it is remembered.
      const row = { ...signup, ...lists, purgeAt: purgeAt(signup.submittedAt ?? new Date(0)) };
      await model.updateOne({ _id: id }, { $set: row });
    },
  };
}

function toSignup({ _id, email, submittedAt, mails, submissions, completed }: SignupRow): Signup {
  return { id: _id.toHexString(), email: email.replace(afterAccount, ''), submittedAt, mails, submissions, completed };
}
