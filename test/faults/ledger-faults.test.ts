import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import mongoose from 'mongoose';
import { createClient } from 'redis';
import { startStack } from '#stack/stack.ts';
import type { Stack } from '#stack/stack-options.ts';
import { cardCollection } from '../../services/giftcards/src/store/card-schema.ts';
import { entryCollection } from '../../services/giftcards/src/store/entry-schema.ts';
import { idempotencyCollection } from '../../services/giftcards/src/store/idempotency-schema.ts';
import { verifyLedger } from '../../services/giftcards/src/store/verify-ledger.ts';
import { Api, until } from '../support/api.ts';
import { demoOf } from '../support/stack-demo.ts';
import { WebhookReceiver } from '../support/webhook-receiver.ts';
import { type LoadCard, TransferLoad } from './transfer-load.ts';

jest.setTimeout(180_000);

const cardCount = 40;
const secret = 'a shared secret of the test';
let dataDir: string;
let stack: Stack;
let receiver: WebhookReceiver;
let api: Api;
let programId: string;
let cards: LoadCard[];

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tallycard-faults-'));
  stack = await startStack({
    dataDir,
    env: { LOG_LEVEL: 'warn', WEBHOOK_RETRY_SCHEDULE_MS: '100,200,500,1000,2000,5000' },
  });
  const demo = await demoOf(stack);
  api = new Api(stack.baseUrl, demo.accessToken);
  programId = demo.programId;
  receiver = await WebhookReceiver.start(secret);
  const hook = await api.post('/v2/webhooks', { url: receiver.url, sharedSecret: secret });
  expect((await api.post(`/v2/webhooks/${hook.body.id}/enable`)).body).toMatchObject({ enabled: true });
  cards = await Promise.all(Array.from({ length: cardCount }, activeCard));
});

afterAll(async () => {
  await receiver?.stop();
  await stack?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function activeCard(): Promise<LoadCard> {
  const path = `/v2/giftcards/programs/${programId}/cards`;
  const card = await api.post(path, { initialValue: 5000 });
  expect((await api.post(`${path}/${card.body.id}/activate`)).status).toBe(200);
  return { id: String(card.body.id), number: String(card.body.cardNumber), code: String(card.body.securityCode) };
}

const faults: [string, () => Promise<void>][] = [
  ['the giftcards service is killed', () => kill('giftcards')],
  ['MongoDB is killed', () => kill('mongodb')],
  ['Redis is killed', () => kill('redis')],
  ['Redis is flushed', flushRedis],
  ['Kafka is killed', () => kill('kafka')],
  ['the webhooks service is killed', () => kill('webhooks')],
];

/** kill -9; the supervisor brings the process back. */
async function kill(name: string): Promise<void> {
  const { pid } = stack.process(name);
  stack.process(name).kill('SIGKILL');
  await until(
    `${name} is another process`,
    () => stack.process(name).pid !== pid && stack.process(name).pid !== undefined,
  );
  await stack.process(name).waitReady();
}

async function flushRedis(): Promise<void> {
  const client = createClient({ url: stack.uris.redisUrl });
  await client.connect();
  for (let i = 0; i < 20; i += 1) {
    await client.flushAll();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  client.destroy();
}

let transfersBefore = 0;

test.each(faults)('%s during a load of transfers: nothing is lost or doubled', async (_, strike) => {
  const load = new TransferLoad(api, programId, cards);
  await until('the load is under way', () => load.acknowledged.size >= 100);
  await strike();
  const afterStrike = load.acknowledged.size;
  await until('the load goes on after the fault', () => load.acknowledged.size >= afterStrike + 100, 60_000);
  await load.stop();

  const { transferIds, report } = await readLedger();
  expect(report.faults).toEqual([]);
  const acknowledged = new Set(load.acknowledged.values());
  expect(acknowledged.size).toBe(load.acknowledged.size);
  expect([...acknowledged].filter((id) => !transferIds.has(id))).toEqual([]);
  // Each key was repeated until it was answered, so there is not one transfer more than there are answers.
  expect(transferIds.size - transfersBefore).toBe(acknowledged.size);
  transfersBefore = transferIds.size;

  const arrived = new Set<unknown>();
  let seen = 0;
  await until(
    'every event has arrived',
    () => {
      for (; seen < receiver.events.length; seen += 1) arrived.add(receiver.events[seen]?.data.transferId);
      return [...acknowledged].every((id) => arrived.has(id));
    },
    90_000,
  );
});

afterEach(() => expect(receiver.forged).toEqual([]));

async function readLedger() {
  const env = stack.serviceEnv('giftcards');
  const connection = await mongoose
    .createConnection(String(env.MONGODB_URI), { dbName: env.MONGODB_DATABASE, autoIndex: false })
    .asPromise();
  try {
    const entries = entryCollection(connection);
    const outs = await entries.find({ type: 'TRANSFER_OUT' }).toArray();
    const report = await verifyLedger({
      cards: cardCollection(connection),
      entries,
      idempotency: idempotencyCollection(connection),
    });
    return { transferIds: new Set(outs.map((entry) => String(entry.transferId))), report };
  } finally {
    await connection.close();
  }
}
