import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { newId } from '#platform/ids.ts';
import { connectMongo } from '#platform/mongo/mongo.ts';
import { createTestLogger } from '#platform/testing.ts';
import { resealMain } from './reseal-main.ts';
import { prepareDatabase } from './store/prepare-database.ts';
import { sealedFields } from './store/sealed-fields.ts';
import { callerOf, settingsOf, startWebhooks, type WebhooksUnderTest } from './testing.ts';

const keyOf = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
const [old, fresh] = [keyOf('k1'), keyOf('k2')];
let service: WebhooksUnderTest;

beforeEach(async () => {
  service = await startWebhooks({ env: { WEBHOOK_ENCRYPTION_KEYS: old } });
});
afterEach(() => service.stop());

async function run(ring: string) {
  const lines: string[] = [];
  const { uri, database } = service.database;
  const env = { MONGODB_URI: uri, MONGODB_DATABASE: database, WEBHOOK_ENCRYPTION_KEYS: ring };
  const code = await resealMain(env, (line) => lines.push(line));
  return { code, text: lines.join('\n') };
}

const rows = () => service.database.connection.collection('webhooks');
const create = (merchantId: string) =>
  service.client.createWebhook({ settings: settingsOf('https://shop.example/hook') }, callerOf(merchantId));

test('without the old key nothing changes, and no secret is shown', async () => {
  const { id, sharedSecret } = await create(newId());
  const before = await rows().find().toArray();
  const { code, text } = await run(fresh);
  expect([code, text]).toEqual([1, expect.stringContaining(`FAULT webhooks ${id}: no encryption key "k1"`)]);
  expect(text).not.toContain(sharedSecret);
  expect(await rows().find().toArray()).toEqual(before);
});

test('after it a service with the new key alone reads the secrets, and nothing else has changed', async () => {
  const merchantId = newId();
  const webhook = await create(merchantId);
  const seen = async () => (await rows().find().toArray()).map(({ sealedSecret: _secret, ...rest }) => rest);
  const rest = await seen();
  expect((await run(`${fresh},${old}`)).code).toBe(0);
  expect(await seen()).toEqual(rest);
  expect((await run(fresh)).code).toBe(0);
  await using other = await startWebhooks({ env: { WEBHOOK_ENCRYPTION_KEYS: fresh } });
  await other.database.connection.collection('webhooks').insertMany(await rows().find().toArray());
  expect(await other.client.getWebhook({ id: webhook.id }, callerOf(merchantId))).toEqual(webhook);
});

test('every sealed field of the stored records is one of those', async () => {
  const connection = await connectMongo(service.database, createTestLogger());
  await prepareDatabase(connection);
  const found = Object.values(connection.models).flatMap((model) =>
    Object.keys(model.schema.paths)
      .filter((path) => /sealed/i.test(path))
      .map((field) => ({ collection: model.collection.name, field })),
  );
  await connection.close();
  expect(found).toEqual(sealedFields);
});
