import { type Connection, mongo } from 'mongoose';
import type { AuditEntry } from '../domain/audit-entry.ts';
import type { AuditLogStore } from '../domain/ports.ts';
import { type AuditLogRow, auditLogSchema } from './audit-log-schema.ts';

/** Entries are added and read. Nothing here changes or removes one. */
export function createAuditLogStore(connection: Connection): AuditLogStore {
  const model = connection.model<AuditLogRow>('AuditLog', auditLogSchema);
  return {
    async insert(entry) {
      await model.create(toRow(entry));
    },
  };
}

function toRow({ id, merchantId, details, ...entry }: AuditEntry): AuditLogRow {
  const ids = { _id: new mongo.ObjectId(id), merchantId: new mongo.ObjectId(merchantId) };
  return { ...ids, ...entry, details: details && { ...details } };
}
