import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Connection, type Model, type mongo, Schema } from 'mongoose';
import { createTestDatabase, createTestLogger, type TestDatabase } from '../testing.ts';
import { connectMongo, createTransaction, type Transaction, withTransaction } from './mongo.ts';

interface Row {
  _id: string;
  count: number;
}

let database: TestDatabase;
let connection: Connection;
let transaction: Transaction;
let rows: Model<Row>;
/** Another caller, whom a transaction under way does not concern. */
let outsider: mongo.Collection<Row>;

beforeAll(async () => {
  database = await createTestDatabase('mongo');
  connection = await connectMongo(database, createTestLogger());
  transaction = createTransaction(connection);
  rows = connection.model<Row>('Row', new Schema<Row>({ _id: String, count: Number }, { versionKey: false }));
  await rows.createCollection();
  outsider = database.connection.collection<Row>(rows.collection.name);
});
afterAll(async () => {
  await connection.close();
  await database.drop();
});

const stored = async (id: string) => (await rows.findById(id).lean())?.count;

test('what throws leaves nothing behind, however it was written', async () => {
  await rows.create({ _id: 'kept', count: 1 });
  const failing = transaction(async () => {
    await rows.create({ _id: 'created', count: 1 });
    await rows.insertMany([{ _id: 'inserted', count: 1 }]);
    await rows.updateOne({ _id: 'kept' }, { $inc: { count: 1 } });
    await rows.findOneAndUpdate({ _id: 'upserted' }, { $set: { count: 1 } }, { upsert: true });
    await withTransaction(connection, (session) => rows.create([{ _id: 'joined', count: 1 }], { session }));
    await transaction(() => rows.create({ _id: 'nested', count: 1 }));
    expect(await rows.countDocuments()).toBe(6);
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await rows.find().lean()).toEqual([{ _id: 'kept', count: 1 }]);
});

test('what another transaction got in the way of is run again, and counts once', async () => {
  await rows.create({ _id: 'contended', count: 0 });
  let runs = 0;
  await transaction(async () => {
    runs += 1;
    const seen = await stored('contended');
    if (runs === 1) await outsider.updateOne({ _id: 'contended' }, { $set: { count: 10 } });
    await rows.updateOne({ _id: 'contended' }, { $set: { count: Number(seen) + 1 } });
  });
  expect({ runs, count: await stored('contended') }).toEqual({ runs: 2, count: 11 });
});

test('what is always in conflict is given up', async () => {
  await rows.create({ _id: 'hopeless', count: 0 });
  const work = transaction(async () => {
    await stored('hopeless');
    await outsider.updateOne({ _id: 'hopeless' }, { $inc: { count: 1 } });
    await rows.updateOne({ _id: 'hopeless' }, { $set: { count: -1 } });
  });
  await expect(work).rejects.toMatchObject({ code: 'unavailable' });
  expect(await stored('hopeless')).toBe(20);
});
