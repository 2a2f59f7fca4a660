import { type mongo, Schema } from 'mongoose';

export interface AuditLogRow {
  /** The event's id where an event tells of the change, so that it is written once. */
  _id: mongo.ObjectId;
  merchantId: mongo.ObjectId;
  action: string;
  resourceType: string;
  resourceId?: string;
  resourceName?: string;
  actorType: string;
  actorId?: string;
  actorName?: string;
  actorEmail?: string;
  subjectId?: string;
  subjectName?: string;
  subjectEmail?: string;
  ipAddress?: string;
  userAgent?: string;
  requestId?: string;
  details?: Record<string, unknown>;
  timestamp: Date;
}

const fields = () =>
  ({
    _id: Schema.Types.ObjectId,
    merchantId: { type: Schema.Types.ObjectId, required: true },
    action: { type: String, required: true },
    resourceType: { type: String, required: true },
    resourceId: String,
    resourceName: String,
    actorType: { type: String, required: true },
    actorId: String,
    actorName: String,
    actorEmail: String,
    subjectId: String,
    subjectName: String,
    subjectEmail: String,
    ipAddress: String,
    userAgent: String,
    requestId: String,
    details: Schema.Types.Mixed,
    timestamp: { type: Date, required: true },
  }) as const;

const indexed = (schema: Schema<AuditLogRow>) =>
  schema
    .index({ merchantId: 1, timestamp: -1, _id: -1 })
    .index({ merchantId: 1, actorId: 1, timestamp: -1, _id: -1 })
    .index({ merchantId: 1, action: 1, timestamp: -1, _id: -1 });

export const auditLogSchema = indexed(
  new Schema<AuditLogRow>(fields(), { collection: 'audit_logs', versionKey: false }),
);

const ofNobodyKeptSeconds = 24 * 3600;

/**
 * Entries that are no merchant's, with the indexes of the log so that writing one takes as long. They are not kept: an
 * address that nobody has could be tried without end.
 */
export const auditLogOfNobodySchema = indexed(
  new Schema<AuditLogRow>(fields(), { collection: 'audit_logs_of_nobody', versionKey: false }),
).index({ timestamp: 1 }, { expireAfterSeconds: ofNobodyKeptSeconds });
