import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Connection } from 'mongoose';
import { newId } from '#platform/ids.ts';
import { connectMongo, createIndexes, createTransaction, type Transaction } from '#platform/mongo/mongo.ts';
import { createQuotas } from '#platform/mongo/quota.ts';
import { createTestDatabase, createTestLogger, type TestDatabase, testCaller } from '#platform/testing.ts';
import type { AuditRecorder } from './domain/audit-ports.ts';
import type { ApiKeyStore, UserStore } from './domain/ports.ts';
import { createAuditRecorder } from './domain/record-audit.ts';
import { createActorNames } from './store/actor-names.ts';
import { createApiKeyStore } from './store/api-key-store.ts';
import { createAuditLogStore } from './store/audit-log-store.ts';
import { createUserStore } from './store/user-store.ts';

let database: TestDatabase;
let connection: Connection;
let transaction: Transaction;
let users: UserStore;
let apiKeys: ApiKeyStore;
let audit: AuditRecorder;

beforeAll(async () => {
  database = await createTestDatabase('audit');
  connection = await connectMongo(database, createTestLogger());
  transaction = createTransaction(connection);
  users = createUserStore(connection);
  apiKeys = createApiKeyStore(connection, createQuotas(connection));
  const now = () => new Date();
  audit = createAuditRecorder(createAuditLogStore(connection), createActorNames(connection), now);
  await createIndexes(connection);
});
afterAll(async () => {
  await connection.close();
  await database.drop();
});

const count = (collection: string) => database.connection.collection(collection).countDocuments();

function newKey(merchantId: string) {
  const owner = { merchantId, userId: merchantId };
  return { id: newId(), ...owner, name: 'till', prefix: 'tc', scopes: [], fullAccess: false, createdAt: new Date() };
}

test('a change whose audit entry cannot be written is not made', async () => {
  const merchantId = newId();
  const key = newKey(merchantId);
  const unwritable: Record<string, unknown> = {};
  unwritable.self = unwritable;
  const change = transaction(async () => {
    expect(await apiKeys.insert(key, 'hash', 10)).toBe(true);
    await audit.record(testCaller({ kind: 'user', merchantId, userId: merchantId }), {
      action: 'key_created',
      resourceType: 'api_key',
      details: unwritable,
    });
  });
  await expect(change).rejects.toThrow();
  expect(await count('api_keys')).toBe(0);
  expect(await apiKeys.insert(key, 'hash', 1)).toBe(true);
});

test('an entry whose change fails is not kept', async () => {
  const before = await count('audit_logs');
  const merchantId = newId();
  const work = transaction(async () => {
    await audit.record(testCaller({ kind: 'user', merchantId }), { action: 'key_revoked', resourceType: 'api_key' });
    throw new Error('refused');
  });
  await expect(work).rejects.toThrow('refused');
  expect(await count('audit_logs')).toBe(before);
});

test('an entry tells who, what and from where', async () => {
  const id = newId();
  const user = { id, merchantId: id, email: 'ann@example.com', name: 'Ann', active: true, admin: false };
  await users.insert({ ...user, createdAt: new Date() }, 'stored');
  const caller = testCaller({ kind: 'user', merchantId: id, userId: id, ip: '203.0.113.7', userAgent: 'till/1' });
  const resource = { resourceType: 'api_key', resourceId: newId(), resourceName: 'till' } as const;
  await transaction(() => audit.record(caller, { action: 'key_frozen', ...resource, details: { reason: 'lost' } }));
  const row = await database.connection.collection('audit_logs').findOne({ resourceId: resource.resourceId });
  expect(row).toMatchObject({
    action: 'key_frozen',
    ...resource,
    details: { reason: 'lost' },
    requestId: 'test-request',
  });
  expect(row).toMatchObject({ actorType: 'user', actorId: id, actorName: 'Ann', actorEmail: 'ann@example.com' });
  expect(row).toMatchObject({ ipAddress: '203.0.113.7', userAgent: 'till/1' });
  expect(String(row?.merchantId)).toBe(id);
});

test('a change of no merchant is a bug', async () => {
  const change = { action: 'login_failed', resourceType: 'user' } as const;
  await expect(audit.record(testCaller(), change)).rejects.toThrow(TypeError);
});
