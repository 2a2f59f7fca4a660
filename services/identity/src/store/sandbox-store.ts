import { type Connection, mongo } from 'mongoose';
import { newId } from '#platform/ids.ts';
import { isDuplicateKey } from '#platform/mongo/mongo.ts';
import type { SandboxStore } from '../domain/ports.ts';
import { type SandboxRow, sandboxSchema } from './sandbox-schema.ts';

export function createSandboxStore(connection: Connection): SandboxStore {
  const model = connection.model<SandboxRow>('Sandbox', sandboxSchema);
  const find = async (merchantId: string) => (await model.findOne({ merchantId }).lean())?._id.toHexString();
  return {
    async ensure(merchantId, now) {
      const known = await find(merchantId);
      if (known !== undefined) return known;
      const id = newId(now.getTime());
      try {
        const owner = new mongo.ObjectId(merchantId);
        await model.create({ _id: new mongo.ObjectId(id), merchantId: owner, createdAt: now });
        return id;
      } catch (error) {
        const made = isDuplicateKey(error) ? await find(merchantId) : undefined;
        if (made === undefined) throw error;
        return made;
      }
    },
    find,
  };
}
