import { type Connection, mongo } from 'mongoose';
import { type KeyRing, open, seal } from '#platform/encryption.ts';
import { isDuplicateKey } from '#platform/mongo/mongo.ts';
import type { Mfa } from '../domain/mfa.ts';
import type { MfaStore } from '../domain/mfa-ports.ts';
import { type MfaRow, mfaSchema } from './mfa-schema.ts';

const beginAttemptsMax = 3;

export function createMfaStore(connection: Connection, keys: KeyRing): MfaStore {
  const model = connection.model<MfaRow>('Mfa', mfaSchema);
  const toRow = ({ userId, merchantId, seed, enabledAt, lastStep, recoveryHashes }: Mfa) => ({
    merchantId: new mongo.ObjectId(merchantId),
    sealedSeed: seal(seed, userId, keys),
    enabledAt,
    lastStep,
    recoveryHashes: [...recoveryHashes],
  });
  return {
    async begin(mfa) {
      for (let attempt = 1; ; attempt += 1) {
        try {
          const notInForce = { _id: mfa.userId, enabledAt: { $exists: false } };
          await model.updateOne(notInForce, { $set: toRow(mfa) }, { upsert: true });
          return true;
        } catch (error) {
          if (!isDuplicateKey(error)) throw error;
          // There is one in force, or another was begun at this moment.
          const row = await model.findById(mfa.userId, { enabledAt: 1 }).lean();
          if (row?.enabledAt !== undefined) return false;
          if (attempt >= beginAttemptsMax) throw error;
        }
      }
    },
    async get(userId) {
      const row = await model.findById(userId).lean();
      if (row === null) return undefined;
      const { merchantId, sealedSeed, enabledAt, lastStep, recoveryHashes } = row;
      const seed = open(sealedSeed, userId, keys);
      return { userId, merchantId: merchantId.toHexString(), seed, enabledAt, lastStep, recoveryHashes };
    },
    async save(mfa) {
      await model.replaceOne({ _id: mfa.userId }, toRow(mfa));
    },
    async remove(userId) {
      await model.deleteOne({ _id: userId });
    },
  };
}
