import { type Connection, mongo } from 'mongoose';
import { withTransaction } from '#platform/mongo/mongo.ts';
import type { Quotas } from '#platform/mongo/quota.ts';
import type { ProgramStore } from '../domain/ports.ts';
import type { Program } from '../domain/program.ts';
import { type ProgramRow, programSchema } from './program-schema.ts';

const quotaKind = 'programs';

export function createProgramStore(connection: Connection, quotas: Quotas): ProgramStore {
  const model = connection.model<ProgramRow>('Program', programSchema);
  return {
    async insert(program, max) {
      const { merchantId } = program;
      await quotas.prepare(merchantId, quotaKind);
      return withTransaction(connection, async (session) => {
        if (!(await quotas.take(session, merchantId, quotaKind, max))) return false;
        await model.create([toRow(program)], { session });
        return true;
      });
    },
    async get(merchantId, id) {
      const row = await model.findOne({ merchantId, _id: id }).lean();
      return row ? toProgram(row) : undefined;
    },
    async getOfAnyMerchant(id) {
      const row = await model.findById(id).lean();
      return row ? toProgram(row) : undefined;
    },
    async list(merchantId, { offset, limit }, id) {
      const filter = id === undefined ? { merchantId } : { merchantId, _id: id };
      const [rows, total] = await Promise.all([
        model.find(filter).sort({ createdAt: -1, _id: -1 }).skip(offset).limit(limit).lean(),
        model.countDocuments(filter),
      ]);
      return { programs: rows.map(toProgram), total };
    },
  };
}

function toRow({ id, merchantId, ...program }: Program): ProgramRow {
  return { _id: new mongo.ObjectId(id), merchantId: new mongo.ObjectId(merchantId), ...program };
}

function toProgram({ _id, merchantId, ...program }: ProgramRow): Program {
  return { id: _id.toHexString(), merchantId: merchantId.toHexString(), ...program };
}
