import type { ClientSession, Connection } from 'mongoose';
import { isDuplicateKey } from './mongo.ts';

interface QuotaRow {
  _id: string;
  merchantId: string;
  kind: string;
  count: number;
}

/**
 * How many records of a kind a merchant has. Counted in the transaction that adds or removes one, so that a limit
 * holds exactly, also when many are added at once.
 */
export interface Quotas {
  /** Makes the merchant's counter; to be called before the transaction that takes from it. */
  prepare(merchantId: string, kind: string): Promise<void>;
  /** Counts one more. @returns false, with nothing changed, when the merchant has `max` already. */
  take(session: ClientSession, merchantId: string, kind: string, max: number): Promise<boolean>;
  /** Counts one less. */
  giveBack(session: ClientSession, merchantId: string, kind: string): Promise<void>;
}

/** The counters of one service's database. */
export function createQuotas(connection: Connection): Quotas {
  const rows = connection.collection<QuotaRow>('quotas');
  const id = (merchantId: string, kind: string) => `${merchantId}:${kind}`;
  return {
    async prepare(merchantId, kind) {
      // Mostly it is there, and reading gets in no transaction's way.
      if ((await rows.findOne({ _id: id(merchantId, kind) })) !== null) return;
      try {
        const row = { merchantId, kind, count: 0 };
        await rows.updateOne({ _id: id(merchantId, kind) }, { $setOnInsert: row }, { upsert: true });
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
    },
    async take(session, merchantId, kind, max) {
      const free = { _id: id(merchantId, kind), count: { $lt: max } };
      const { matchedCount } = await rows.updateOne(free, { $inc: { count: 1 } }, { session });
      return matchedCount === 1;
    },
    async giveBack(session, merchantId, kind) {
      await rows.updateOne({ _id: id(merchantId, kind) }, { $inc: { count: -1 } }, { session });
    },
  };
}
