import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type Connection, mongo } from 'mongoose';
import { type KeyRing, open, seal } from '../encryption.ts';
import { createTestDatabase, createTestLogger, type TestDatabase } from '../testing.ts';
import { connectMongo } from './mongo.ts';
import { type ResealCounts, reseal, runReseal } from './reseal.ts';

const keyBytes = new Map(['k0', 'k1', 'k2'].map((id) => [id, randomBytes(32)]));
const ringOf = (...ids: string[]): KeyRing => ({
  current: String(ids[0]),
  keys: new Map(ids.map((id) => [id, keyBytes.get(id) ?? randomBytes(32)])),
});
const before = ringOf('k1');
const both = ringOf('k2', 'k1');
const field = { collection: 'secrets', field: 'sealed' };

let database: TestDatabase;
let connection: Connection;
let ids: mongo.ObjectId[];

beforeEach(async () => {
  database = await createTestDatabase('reseal');
  connection = await connectMongo(database, createTestLogger());
  ids = Array.from({ length: 7 }, () => new mongo.ObjectId());
  await rows().insertMany(ids.map((_id) => rowOf(_id)));
});
afterEach(async () => {
  await connection.close();
  await database.drop();
});

const rows = () => database.connection.collection('secrets');
const rowOf = (_id: mongo.ObjectId, ring = before) => ({
  _id,
  sealed: seal(`secret of ${_id}`, String(_id), ring),
  n: 1,
});
const sealedOf = async (_id: mongo.ObjectId | undefined) => String((await rows().findOne({ _id }))?.sealed);
const run = async (ring = both, options: Parameters<typeof reseal>[3] = {}) => {
  const { counts, ...rest } = await reseal(connection, [field], ring, { batchMax: 3, ...options });
  return { ...rest, ...(counts.get(field) as ResealCounts) };
};

/** Every record opens with the new key alone, and says what it said. */
async function expectAllNew(): Promise<void> {
  for await (const { _id, sealed } of rows().find()) {
    expect(open(String(sealed), String(_id), ringOf('k2'))).toBe(`secret of ${_id}`);
  }
}

describe('what does not open', () => {
  test.each([
    ['a key that the ring has not', (id: string) => seal('x', id, ringOf('k0')), 'no encryption key "k0"'],
    ['another record’s value', () => seal('x', 'another', before), 'unable to authenticate'],
    [
      'a new value that is damaged',
      (id: string) => `${seal('x', id, both).slice(0, -6)}AAAAAA`,
      'unable to authenticate',
    ],
    ['too short a value', () => 'k1.AAAA', ''],
  ])('%s is named and left as it is, and the others are sealed anew', async (_what, make, reason) => {
    const _id = ids[3];
    const sealed = make(String(_id));
    await rows().updateOne({ _id }, { $set: { sealed } });
    const report = await run();
    expect(report).toMatchObject({ resealed: 6, unopened: 1, current: 6, settled: true });
    expect(report.faults).toEqual([expect.stringContaining(`secrets ${_id}: `)]);
    expect(report.faults[0]).toContain(reason);
    expect(await sealedOf(_id)).toBe(sealed);
  });

  test.each([['4111111111111111'], [null], [{ $gt: '' }]])(
    '%j, which was never sealed, is not shown',
    async (sealed) => {
      await rows().updateOne({ _id: ids[0] }, { $set: { sealed } });
      const report = await run();
      expect(report.faults).toEqual([`secrets ${ids[0]}: holds no sealed value`]);
      expect(report).toMatchObject({ resealed: 6, unopened: 1 });
    },
  );
});

test('a value that changes between reading and writing is not overwritten, and is seen in the next pass', async () => {
  const [changed, deleted] = ids;
  let writes = 0;
  const report = await run(both, {
    async beforeWrite() {
      writes += 1;
      if (writes > 1) return;
      await rows().replaceOne(
        { _id: changed },
        { sealed: seal(`secret of ${changed}`, String(changed), before), n: 2 },
      );
      await rows().deleteOne({ _id: deleted });
    },
  });
  expect(report).toMatchObject({ resealed: 6, changedMeanwhile: 2, current: 6, unopened: 0, settled: true });
  expect(await rows().findOne({ _id: changed })).toMatchObject({ n: 2 });
  expect(await rows().countDocuments()).toBe(6);
  await expectAllNew();
});

test('a change of anything else stays, and nothing else is changed', async () => {
  const report = await run(both, { beforeWrite: async () => void (await rows().updateMany({}, { $inc: { n: 5 } })) });
  expect(report).toMatchObject({ resealed: 7, changedMeanwhile: 0, settled: true });
  expect(await rows().distinct('n')).toEqual([16]);
  expect(Object.keys((await rows().findOne()) ?? {})).toEqual(['_id', 'sealed', 'n']);
});

test('killed amid, everything opens, and the next run goes on', async () => {
  let writes = 0;
  const killed = run(both, {
    async beforeWrite() {
      writes += 1;
      if (writes === 2) throw new Error('killed');
    },
  });
  await expect(killed).rejects.toThrow('killed');
  const keys = (await rows().find().toArray()).map(({ _id, sealed }) => {
    expect(open(String(sealed), String(_id), both)).toBe(`secret of ${_id}`);
    return String(sealed).slice(0, 2);
  });
  expect(keys.sort()).toEqual(['k1', 'k1', 'k1', 'k1', 'k2', 'k2', 'k2']);
  expect(await run()).toMatchObject({ resealed: 4, current: 7, settled: true });
  await expectAllNew();
});

test('two at once, and one more, change each value once', async () => {
  const reports = await Promise.all([run(), run()]);
  expect(reports.reduce((sum, { resealed }) => sum + resealed, 0)).toBe(7);
  const stored = await rows().find().toArray();
  expect(await run()).toMatchObject({ resealed: 0, changedMeanwhile: 0, current: 7, settled: true });
  expect(await rows().find().toArray()).toEqual(stored);
  await expectAllNew();
});

test('what a pod seals with the old key meanwhile is found, also before where it reads', async () => {
  let added = false;
  const report = await run(both, {
    async beforeWrite() {
      if (added) return;
      added = true;
      await rows().insertMany([rowOf(mongo.ObjectId.createFromTime(1)), rowOf(new mongo.ObjectId(), both)]);
    },
  });
  expect(report).toMatchObject({ resealed: 8, current: 9, settled: true });
  await expectAllNew();
});

test('while pods go on to seal with the old key it ends, and says so', async () => {
  const beforeWrite = async () =>
    void (await rows().insertOne(rowOf(mongo.ObjectId.createFromTime(1 + (await count())))));
  const count = () => rows().countDocuments();
  expect((await run(both, { beforeWrite })).settled).toBe(false);
});

describe('as a command', () => {
  const keys = (...names: string[]) => names.map((id) => `${id}:${keyBytes.get(id)?.toString('base64')}`).join();
  const command = async (ring: string) => {
    const lines: string[] = [];
    const env = { MONGODB_URI: database.uri, MONGODB_DATABASE: database.database, KEYS: ring };
    const code = await runReseal('platform', env, { ringName: 'KEYS', fields: [field] }, (line) => lines.push(line));
    return { code, lines };
  };

  test('prints counts and exits with 0 when nothing old is left; then the old key can go', async () => {
    const told = 'secrets.sealed: {"resealed":7,"changedMeanwhile":0,"current":7,"unopened":0}';
    expect(await command(keys('k2', 'k1'))).toEqual({ code: 0, lines: [told, 'everything is sealed with k2'] });
    expect((await command(keys('k2'))).code).toBe(0);
  });

  test('without the old key it changes nothing, names the records and exits with 1', async () => {
    const stored = await rows().find().toArray();
    const { code, lines } = await command(keys('k2'));
    expect([code, lines.at(-1)]).toEqual([1, '7 records cannot be opened']);
    expect(lines[1]).toBe(`FAULT secrets ${ids[0]}: no encryption key "k1"`);
    expect(await rows().find().toArray()).toEqual(stored);
  });

  test('a bad key ring is a bad configuration', async () => {
    expect((await command('k2:short')).code).toBe(78);
  });
});
