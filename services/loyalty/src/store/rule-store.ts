import { type Connection, mongo } from 'mongoose';
import { withTransaction } from '#platform/mongo/mongo.ts';
import type { Quotas } from '#platform/mongo/quota.ts';
import type { RuleReference, RuleStore } from '../domain/ports.ts';
import type { Rule } from '../domain/rule.ts';
import { type RuleRow, ruleSchema } from './rule-schema.ts';

/** Counted by program. */
const quotaKind = (programId: string) => `rules:${programId}`;

export function createRuleStore(connection: Connection, quotas: Quotas): RuleStore {
  const model = connection.model<RuleRow>('Rule', ruleSchema);
  return {
    async insert(rule, max) {
      const { merchantId, programId } = rule;
      await quotas.prepare(merchantId, quotaKind(programId));
      return withTransaction(connection, async (session) => {
        if (!(await quotas.take(session, merchantId, quotaKind(programId), max))) return false;
        await model.create([toRow(rule)], { session });
        return true;
      });
    },
    async replace(where, { startsAt, endsAt, ...settings }, updatedAt) {
      const gone = { ...(startsAt ? {} : { startsAt: 1 }), ...(endsAt ? {} : { endsAt: 1 }) };
      const change = { $set: { ...settings, startsAt, endsAt, updatedAt }, $unset: gone };
      const row = await model.findOneAndUpdate(keyOf(where), change, { returnDocument: 'after' }).lean();
      return row ? toRule(row) : undefined;
    },
    async delete(where) {
      return withTransaction(connection, async (session) => {
        const { deletedCount } = await model.deleteOne(keyOf(where), { session });
        if (deletedCount === 1) await quotas.giveBack(session, where.merchantId, quotaKind(where.programId));
        return deletedCount === 1;
      });
    },
    async list(merchantId, programId, { offset, limit }) {
      const filter = { merchantId, programId };
      const [rows, total] = await Promise.all([
        model.find(filter).sort({ priority: -1, _id: 1 }).skip(offset).limit(limit).lean(),
        model.countDocuments(filter),
      ]);
      return { rules: rows.map(toRule), total };
    },
  };
}

const keyOf = ({ merchantId, programId, id }: RuleReference) => ({ merchantId, programId, _id: id });

function toRow({ id, merchantId, programId, ...rule }: Rule): RuleRow {
  return {
    _id: new mongo.ObjectId(id),
    merchantId: new mongo.ObjectId(merchantId),
    programId: new mongo.ObjectId(programId),
    ...rule,
  };
}

function toRule({ _id, merchantId, programId, ...rule }: RuleRow): Rule {
  return {
    id: _id.toHexString(),
    merchantId: merchantId.toHexString(),
    programId: programId.toHexString(),
    ...rule,
  };
}
