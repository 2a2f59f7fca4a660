import { randomBytes } from 'node:crypto';
import mongoose, { type mongo } from 'mongoose';
import type { Stack } from '#stack/stack-options.ts';

const { ObjectId } = mongoose.mongo;
const documents = 20_000;
const samplesMax = 1_000;
const insertMax = 2_000;
const scratch = 'bench_storage';
/** Strings this long are hashes and sealed values: different in each document, so that none is compressed away. */
const randomLengthMin = 40;

/** What a document of one collection takes, on average. */
export interface StorageCost {
  readonly name: string;
  readonly documents: number;
  /** As BSON, which is what travels and lies in the cache. */
  readonly bsonBytes: number;
  /** As the server tells of its files, data and indexes. */
  readonly dataBytes: number;
  readonly indexBytes: number;
}

const measured: readonly [service: string, collection: string][] = [
  ['giftcards', 'cards'],
  ['giftcards', 'entries'],
  ['giftcards', 'idempotency'],
  ['identity', 'audit_logs'],
  ['webhooks', 'deliveries'],
];

/** Multiplies documents that the services wrote, in a database of its own with the services' indexes. */
export async function* measureStorage(stack: Stack, client: mongo.MongoClient): AsyncGenerator<StorageCost> {
  for (const [service, name] of measured) {
    const source = client.db(stack.serviceEnv(service).MONGODB_DATABASE).collection(name);
    const samples = await source.find({}).limit(samplesMax).toArray();
    if (samples.length === 0) continue;
    const target = client.db(scratch).collection(name);
    await target.drop().catch(() => undefined);
    for (const { key, unique, sparse } of await source.indexes())
      if (!('_id' in key && Object.keys(key).length === 1))
        await target.createIndex(key, { ...(unique && { unique }), ...(sparse && { sparse }) });
    for (let at = 0; at < documents; at += insertMax) {
      const batch = Array.from({ length: insertMax }, (_, index) => likeIt(samples[(at + index) % samples.length]));
      await target.insertMany(batch as mongo.Document[]);
    }
    const [stats] = await target.aggregate([{ $collStats: { storageStats: {} } }]).toArray();
    const { storageSize = 0, totalIndexSize = 0 } = stats?.storageStats ?? {};
    const bson = samples.reduce((sum, sample) => sum + mongoose.mongo.BSON.calculateObjectSize(sample), 0);
    yield {
      ...{ name: `storage, ${name}`, documents, bsonBytes: Math.round(bson / samples.length) },
      dataBytes: Math.round(storageSize / documents),
      indexBytes: Math.round(totalIndexSize / documents),
    };
  }
  await client.db(scratch).dropDatabase();
}

const shared = new Set(['merchantId', 'programId', 'endpointId']);

/** Another document of the same shape: ids and random strings are made anew, all else is kept. */
function likeIt(value: unknown, key = ''): unknown {
  if (value instanceof ObjectId) return shared.has(key) ? value : new ObjectId();
  if (typeof value === 'string') return value.length < randomLengthMin ? value : like(value);
  if (Array.isArray(value)) return value.map((item) => likeIt(item));
  if (value === null || typeof value !== 'object' || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, likeIt(part, name)]));
}

/** JSON compresses well and is kept; a key or hash does not. */
const like = (text: string) =>
  text.startsWith('{') ? text : randomBytes(text.length).toString('base64url').slice(0, text.length);
