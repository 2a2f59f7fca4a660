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
  ipAddress?: string;
  userAgent?: string;
  requestId?: string;
  details?: Record<string, unknown>;
  timestamp: Date;
}

export const auditLogSchema = new Schema<AuditLogRow>(
  {
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
    ipAddress: String,
    userAgent: String,
    requestId: String,
    details: Schema.Types.Mixed,
    timestamp: { type: Date, required: true },
  },
  { collection: 'audit_logs', versionKey: false },
);
auditLogSchema.index({ merchantId: 1, timestamp: -1, _id: -1 });
auditLogSchema.index({ merchantId: 1, actorId: 1, timestamp: -1, _id: -1 });
auditLogSchema.index({ merchantId: 1, action: 1, timestamp: -1, _id: -1 });
