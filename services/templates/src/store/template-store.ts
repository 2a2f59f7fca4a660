import { type Connection, mongo } from 'mongoose';
import { withTransaction } from '#platform/mongo/mongo.ts';
import type { Quotas } from '#platform/mongo/quota.ts';
import type { TemplateStore } from '../domain/ports.ts';
import type { Template } from '../domain/template.ts';
import { type TemplateRow, templateSchema } from './template-schema.ts';

const quotaKind = 'templates';

export function createTemplateStore(connection: Connection, quotas: Quotas): TemplateStore {
  const model = connection.model<TemplateRow>('Template', templateSchema);
  return {
    async insert(template, max) {
      const { merchantId } = template;
      await quotas.prepare(merchantId, quotaKind);
      return withTransaction(connection, async (session) => {
        if (!(await quotas.take(session, merchantId, quotaKind, max))) return false;
        await model.create([toRow(template)], { session });
        return true;
      });
    },
    async get(merchantId, id) {
      const row = await model.findOne({ merchantId, _id: id }).lean();
      return row ? toTemplate(row) : undefined;
    },
    async list(merchantId, { offset, limit }) {
      const [rows, total] = await Promise.all([
        model.find({ merchantId }).sort({ createdAt: -1, _id: -1 }).skip(offset).limit(limit).lean(),
        model.countDocuments({ merchantId }),
      ]);
      return { templates: rows.map(toTemplate), total };
    },
    delete(merchantId, id) {
      return withTransaction(connection, async (session) => {
        const { deletedCount } = await model.deleteOne({ merchantId, _id: id }, { session });
        if (deletedCount === 1) await quotas.giveBack(session, merchantId, quotaKind);
        return deletedCount === 1;
      });
    },
  };
}

function toRow({ id, merchantId, ...template }: Template): TemplateRow {
  return { _id: new mongo.ObjectId(id), merchantId: new mongo.ObjectId(merchantId), ...template };
}

function toTemplate({ _id, merchantId, ...template }: TemplateRow): Template {
  return { id: _id.toHexString(), merchantId: merchantId.toHexString(), ...template };
}
