import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Connection } from 'mongoose';
import { newId } from '#platform/ids.ts';
import { connectMongo, createIndexes, createTransaction, type Transaction } from '#platform/mongo/mongo.ts';
import { createTestDatabase, createTestLogger, type TestDatabase } from '#platform/testing.ts';
import type { UserStore } from './domain/ports.ts';
import { createUserStore } from './store/user-store.ts';

let database: TestDatabase;
let connection: Connection;
let transaction: Transaction;
let users: UserStore;

beforeAll(async () => {
  database = await createTestDatabase('claim');
  connection = await connectMongo(database, createTestLogger());
  transaction = createTransaction(connection);
  users = createUserStore(connection);
  await createIndexes(connection);
});
afterAll(async () => {
  await connection.close();
  await database.drop();
});

/** Runs work outside whatever transaction is under way: the context of before is the one it runs in. */
const outside = AsyncLocalStorage.snapshot() as <T>(work: () => Promise<T>) => Promise<T>;

async function newUser() {
  const id = newId();
  const user = { id, merchantId: id, email: `${id}@example.com`, active: true, admin: false, createdAt: new Date() };
  await users.insert(user, 'stored');
  return id;
}

test('nobody claims a user who is inactive, unknown or another merchant’s', async () => {
  const id = await newUser();
  expect(await users.claim(newId(), id)).toBe(false);
  expect(await users.claim(id, newId())).toBe(false);
  expect(await users.claim(id, id)).toBe(true);
  await users.setActive(id, id, false);
  expect(await users.claim(id, id)).toBe(false);
});

test.each([
  ['is claimed', async (id: string) => void (await users.claim(id, id)), [true, true]],
  ['is made inactive', (id: string) => users.setActive(id, id, false), [true, false]],
])('a transaction whose user %s after it has looked begins anew, and sees that', async (_what, change, active) => {
  const id = await newUser();
  const seen: (boolean | undefined)[] = [];
  const claimed = await transaction(async () => {
    seen.push((await users.get(id))?.active);
    // By somebody else, whose change commits in between.
    if (seen.length === 1) await outside(() => change(id));
    return users.claim(id, id);
  });
  expect([seen, claimed]).toEqual([active, active[1]]);
});
