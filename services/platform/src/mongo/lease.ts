import { randomUUID } from 'node:crypto';
import type { Connection } from 'mongoose';
import { isDuplicateKey } from './mongo.ts';

interface LeaseRow {
  _id: string;
  holder: string;
  expiresAt: Date;
}

/** Work that one replica does at a time, while the others stand by. A lease lapses when its holder dies. */
export interface Lease {
  /** Takes or renews it for `ms`. @returns false while another replica holds it. */
  take(ms: number): Promise<boolean>;
  /** Gives it up, so that another replica need not wait; never fails. */
  release(): Promise<void>;
}

/** A lease in one service's database. Two holders may overlap for a moment when clocks differ: the work must bear that. */
export function createLease(connection: Connection, name: string): Lease {
  const leases = connection.collection<LeaseRow>('leases');
  const holder = randomUUID();
  return {
    async take(ms) {
      const now = new Date();
      try {
        const taken = await leases.findOneAndUpdate(
          { _id: name, $or: [{ holder }, { expiresAt: { $lt: now } }] },
          { $set: { holder, expiresAt: new Date(now.getTime() + ms) } },
          { upsert: true, returnDocument: 'after' },
        );
        return taken?.holder === holder;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
    async release() {
      await leases.deleteOne({ _id: name, holder }).catch(() => undefined);
    },
  };
}
