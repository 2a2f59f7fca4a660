import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { status } from '@grpc/grpc-js';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import mongoose, { type mongo } from 'mongoose';
import type { Caller } from '#platform/grpc/caller.ts';
import { createRpcClient } from '#platform/grpc/client.ts';
import { GiftCardsServiceClient } from '#proto/giftcards/v1/giftcards.ts';
import { repoRoot } from '#stack/paths.ts';
import { startStack } from '#stack/stack.ts';
import type { Stack } from '#stack/stack-options.ts';
import { createApp } from '../../services/giftcards/src/app.ts';
import { envToConfig } from '../../services/giftcards/src/config.ts';
import { cardCollection } from '../../services/giftcards/src/store/card-schema.ts';
import { entryCollection } from '../../services/giftcards/src/store/entry-schema.ts';
import { idempotencyCollection } from '../../services/giftcards/src/store/idempotency-schema.ts';
import { verifyLedger } from '../../services/giftcards/src/store/verify-ledger.ts';
import { Api, until } from '../support/api.ts';
import { demoOf } from '../support/stack-demo.ts';
import { type LoadCard, TransferLoad } from './transfer-load.ts';

jest.setTimeout(180_000);

const cardCount = 40;
const collections = ['cards', 'entries', 'idempotency', 'outbox', 'code_attempts'];
type Dump = Map<string, mongo.Document[]>;
let dataDir: string;
let stack: Stack;
let client: mongo.MongoClient;
let database: string;
let api: Api;
let merchantId: string;
let programId: string;
let cards: LoadCard[];
let load: TransferLoad;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tallycard-restore-'));
  stack = await startStack({ dataDir, env: { LOG_LEVEL: 'warn' } });
  const demo = await demoOf(stack);
  ({ programId, merchantId } = demo);
  api = new Api(stack.baseUrl, demo.accessToken);
  client = await new mongoose.mongo.MongoClient(stack.uris.mongodbUri).connect();
  database = String(stack.serviceEnv('giftcards').MONGODB_DATABASE);
  cards = await Promise.all(Array.from({ length: cardCount }, activeCard));
});
afterAll(async () => {
  await client?.close();
  await stack?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function activeCard(): Promise<LoadCard> {
  const path = `/v2/giftcards/programs/${programId}/cards`;
  const card = await api.post(path, { initialValue: 5000 });
  expect((await api.post(`${path}/${card.body.id}/activate`)).status).toBe(200);
  return { id: String(card.body.id), number: String(card.body.cardNumber), code: String(card.body.securityCode) };
}

/** Everything as it stood at one moment, as a snapshot of a volume or a dump with its oplog has it. */
async function dumpAtOneMoment(): Promise<Dump> {
  const session = client.startSession();
  try {
    session.startTransaction({ readConcern: { level: 'snapshot' } });
    const dump: Dump = new Map();
    for (const name of collections) {
      dump.set(name, await client.db(database).collection(name).find({}, { session }).toArray());
      await goesOn(10);
    }
    await session.commitTransaction();
    return dump;
  } finally {
    await session.endSession();
  }
}

/** One collection after another as they stand by then, as a dump without its oplog has them. */
async function dumpWhileItChanges(): Promise<Dump> {
  const dump: Dump = new Map();
  for (const name of collections) {
    dump.set(name, await client.db(database).collection(name).find({}).toArray());
    await goesOn(10);
  }
  return dump;
}

async function goesOn(transfers: number): Promise<void> {
  const before = load.acknowledged.size;
  await until('the load goes on', () => load.acknowledged.size >= before + transfers);
}

async function underLoad<T>(work: () => Promise<T>): Promise<T> {
  load = new TransferLoad(api, programId, cards);
  try {
    await goesOn(50);
    return await work();
  } finally {
    await load.stop();
  }
}

async function restore(dump: Dump, name: string): Promise<void> {
  await client.db(name).dropDatabase();
  for (const [collection, documents] of dump)
    if (documents.length > 0) await client.db(name).collection(collection).insertMany(documents);
}

/** As an operator does: the program, pointed at the restored database. */
async function verify(name: string): Promise<{ code: number; output: string }> {
  const child = spawn(process.execPath, ['services/giftcards/src/verify-ledger-main.ts'], {
    cwd: repoRoot,
    env: { PATH: process.env.PATH, MONGODB_URI: stack.uris.mongodbUri, MONGODB_DATABASE: name },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const [code] = await once(child, 'close');
  return { code: Number(code), output };
}

/** What a giftcards with these secrets says of a card on a restored database. */
async function lookUpOn(name: string, card: LoadCard, secrets: Record<string, string> = {}): Promise<unknown> {
  const env = { ...stack.serviceEnv('giftcards'), ...secrets, LOG_LEVEL: 'silent', STOP_DRAIN_MS: '0' };
  const config = envToConfig({ ...env, MONGODB_DATABASE: name, GRPC_PORT: '0', HEALTH_PORT: '0' });
  const app = createApp(config);
  await app.start();
  const address = `127.0.0.1:${app.grpcPort}`;
  const giftcards = createRpcClient(GiftCardsServiceClient, address, config.service.callerSecret);
  const ids = { merchantId, userId: merchantId, credentialId: merchantId, requestId: 'restore' };
  const caller: Caller = { kind: 'app_key', ...ids, ip: '127.0.0.1' };
  try {
    const { card: found } = await giftcards.lookUpCard({ programId, cardNumber: card.number }, caller);
    return { id: found?.id, cardNumber: found?.cardNumber };
  } catch (error) {
    return (error as { code: unknown }).code;
  } finally {
    giftcards.close();
    await app.stop();
  }
}

test('a backup of one moment, taken under load, is clean in another database and has what was acknowledged before', async () => {
  let acknowledged: string[] = [];
  const dump = await underLoad(() => {
    acknowledged = [...load.acknowledged.values()];
    return dumpAtOneMoment();
  });
  await restore(dump, 'restored');
  expect(await verify('restored')).toEqual({ code: 0, output: expect.stringContaining('ledger is clean') });
  const ids = (dump.get('entries') ?? []).map((entry) => String(entry.transferId));
  const restored = new Set(ids);
  expect(acknowledged.filter((id) => !restored.has(id))).toEqual([]);
  expect([...load.acknowledged.values()].some((id) => !restored.has(id))).toBe(true);
  const card = cards[0]!;
  expect(await lookUpOn('restored', card)).toEqual({ id: card.id, cardNumber: card.number });
});

test('without the keys that it was written with, a restored database is of no use', async () => {
  await restore(await dumpAtRest(), 'restored');
  const other = randomBytes(32).toString('base64');
  expect(await lookUpOn('restored', cards[0]!, { CARD_HMAC_KEY: other })).toBe('card_not_found');
  expect(await lookUpOn('restored', cards[0]!, { CARD_ENCRYPTION_KEYS: `k1:${other}` })).toBe(status.INTERNAL);
  expect(await lookUpOn('restored', cards[0]!, { CARD_ENCRYPTION_KEYS: `k2:${other}` })).toBe(status.INTERNAL);
});

test('a backup that was written to while it was taken is found out', async () => {
  await restore(await underLoad(dumpWhileItChanges), 'torn');
  const { code, output } = await verify('torn');
  expect([code, output]).toEqual([1, expect.stringMatching(/FAULT .*\n\d+ faults/)]);
});

const lost = '0'.repeat(24) as never;
const damages: [string, (db: mongo.Db) => Promise<unknown>][] = [
  ['the entries end early', (db) => db.collection('entries').deleteOne({ type: 'TRANSFER_IN' })],
  ['a card is missing', (db) => db.collection('cards').deleteOne({})],
  ['a collection is missing', (db) => db.collection('entries').drop()],
  ['a card is older than its entries', (db) => db.collection('cards').updateOne({}, { $inc: { entryCount: -1 } })],
  ['an idempotency record is newer', (db) => db.collection('idempotency').updateOne({}, { $push: { entryIds: lost } })],
];

test.each(damages)('a damaged restore is found out: %s', async (_what, damage) => {
  await restore(await dumpAtRest(), 'damaged');
  expect(await faultsOf('damaged')).toBe(0);
  await damage(client.db('damaged'));
  expect(await faultsOf('damaged')).toBeGreaterThan(0);
});

async function faultsOf(name: string): Promise<number> {
  const connection = await mongoose.createConnection(stack.uris.mongodbUri, { dbName: name }).asPromise();
  try {
    const entries = entryCollection(connection);
    const found = { cards: cardCollection(connection), entries, idempotency: idempotencyCollection(connection) };
    return (await verifyLedger(found)).faultCount;
  } finally {
    await connection.close();
  }
}

async function dumpAtRest(): Promise<Dump> {
  const read = async (name: string): Promise<[string, mongo.Document[]]> => {
    return [name, await client.db(database).collection(name).find({}).toArray()];
  };
  return new Map(await Promise.all(collections.map(read)));
}
