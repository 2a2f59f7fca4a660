import { type Connection, mongo } from 'mongoose';
import { isDuplicateKey } from '#platform/mongo/mongo.ts';
import type { AuditEntry } from '../domain/audit-entry.ts';
import type { AuditFilter, AuditLogStore } from '../domain/audit-ports.ts';
import { type AuditLogRow, auditLogOfNobodySchema, auditLogSchema } from './audit-log-schema.ts';

/** No more than the newest so many entries of a period are looked through; what is older needs a narrower period. */
const scannedMax = 100_000;
const listMsMax = 10_000;

/** What one pass finds: a page, and how many there are. */
interface Found {
  readonly rows: AuditLogRow[];
  readonly counted: { readonly total: number }[];
}

/** Entries are added and read. Nothing here changes or removes one. */
export function createAuditLogStore(connection: Connection): AuditLogStore {
  const model = connection.model<AuditLogRow>('AuditLog', auditLogSchema);
  const ofNobody = connection.model<AuditLogRow>('AuditLogOfNobody', auditLogOfNobodySchema);
  return {
    async insert(entry) {
      await model.create(toRow(entry));
    },
    async insertOfNobody(entry) {
      await ofNobody.create(toRow(entry));
    },
    async insertNew(entries) {
      try {
        await model.collection.insertMany(entries.map(toRow), { ordered: false });
      } catch (error) {
        const { writeErrors } = error as Partial<mongo.MongoBulkWriteError>;
        const faults = Array.isArray(writeErrors) ? writeErrors : [];
        if (!isDuplicateKey(error) || faults.some((fault) => fault.code !== 11000)) throw error;
      }
    },
    async list(merchantId, filter, { offset, limit }) {
      const found = [
        { $match: { merchantId: new mongo.ObjectId(merchantId), ...periodOf(filter), ...indexedOf(filter) } },
        { $sort: { timestamp: -1, _id: -1 } } as const,
        { $limit: scannedMax },
        { $match: conditionsOf(filter) },
      ];
      const page = { rows: [{ $skip: offset }, { $limit: limit }], counted: [{ $count: 'total' }] };
      const [answer] = await model.aggregate<Found>([...found, { $facet: page }], { maxTimeMS: listMsMax });
      return { entries: answer?.rows.map(toEntry) ?? [], total: answer?.counted[0]?.total ?? 0 };
    },
  };
}

function periodOf({ from, to }: AuditFilter): object {
  if (from === undefined && to === undefined) return {};
  return { timestamp: { ...(from && { $gte: from }), ...(to && { $lte: to }) } };
}

/** What an index serves, so that it narrows what is looked through. */
function indexedOf({ actorId, actions }: AuditFilter): object {
  return {
    ...(actorId !== undefined && { actorId }),
    ...(actions.length > 0 && { action: { $in: [...actions] } }),
  };
}

function conditionsOf({ subjectId, subjectName, actorName, resourceTypes }: AuditFilter): object {
  const named = [
    ...(subjectName === undefined ? [] : [either('subjectName', 'subjectEmail', subjectName)]),
    ...(actorName === undefined ? [] : [either('actorName', 'actorEmail', actorName)]),
  ];
  return {
    ...(subjectId !== undefined && { subjectId }),
    ...(named.length > 0 && { $and: named }),
    ...(resourceTypes.length > 0 && { resourceType: { $in: [...resourceTypes] } }),
  };
}

const either = (name: string, email: string, text: string) => ({
  $or: [{ [name]: containing(text) }, { [email]: containing(text) }],
});

/**
 * A literal text in any case: every character that means something to a regular expression is escaped. MongoDB refuses
 * the zero character, which no name has.
 */
const containing = (text: string) =>
  text.includes('\0') ? { $in: [] } : { $regex: text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'), $options: 'i' };

function toRow({ id, merchantId, details, ...entry }: AuditEntry): AuditLogRow {
  const ids = { _id: new mongo.ObjectId(id), merchantId: new mongo.ObjectId(merchantId) };
  return { ...ids, ...entry, details: details && { ...details } };
}

function toEntry({ _id, merchantId, ...row }: AuditLogRow): AuditEntry {
  const entry = { id: _id.toHexString(), merchantId: merchantId.toHexString(), ...row };
  return entry as AuditEntry;
}
