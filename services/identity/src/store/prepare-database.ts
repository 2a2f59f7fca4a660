import type { Connection, Schema } from 'mongoose';
import { mailSchema } from '#platform/mail/queue.ts';
import { createIndexes } from '#platform/mongo/mongo.ts';
import { apiKeySchema, deletedKeySchema } from './api-key-schema.ts';
import { appKeySchema } from './app-key-schema.ts';
import { auditLogOfNobodySchema, auditLogSchema } from './audit-log-schema.ts';
import { mfaSchema, mfaSettingsTriesSchema, mfaTriesSchema } from './mfa-schema.ts';
import { planSchema } from './plan-schema.ts';
import { sandboxSchema } from './sandbox-schema.ts';
import { refreshTokenSchema, sessionSchema } from './session-schema.ts';
import { signupSchema } from './signup-schema.ts';
import { usageSchema } from './usage-schema.ts';
import { userSchema } from './user-schema.ts';

const schemas = {
  ApiKey: apiKeySchema,
  AppKey: appKeySchema,
  AuditLog: auditLogSchema,
  AuditLogOfNobody: auditLogOfNobodySchema,
  DeletedApiKey: deletedKeySchema,
  KeyUsage: usageSchema,
  Mail: mailSchema,
  MerchantPlan: planSchema,
  Mfa: mfaSchema,
  MfaSettingsTries: mfaSettingsTriesSchema,
  MfaTries: mfaTriesSchema,
  RefreshToken: refreshTokenSchema,
  Sandbox: sandboxSchema,
  Session: sessionSchema,
  Signup: signupSchema,
  User: userSchema,
};

/** Makes the collections and indexes that identity needs; safe to run on each start and side by side. */
export async function prepareDatabase(connection: Connection): Promise<void> {
  for (const [name, schema] of Object.entries(schemas)) connection.model(name, schema as Schema);
  await createIndexes(connection);
}
