import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { testComponent } from '#platform/testing.ts';
import { repoRoot } from '#stack/paths.ts';
import { allServices, isGateway } from '#stack/services.ts';

const uri = testComponent('TEST_MONGODB_URI');
const services = allServices.filter((definition) => !isGateway(definition)).map(({ name }) => name);
let client: mongoose.mongo.MongoClient;
const migrated = (service: string) => `test_migrated_${service}_${process.pid}`;

beforeAll(async () => {
  client = await new mongoose.mongo.MongoClient(uri).connect();
});
afterAll(async () => {
  await Promise.all(services.map((service) => client.db(migrated(service)).dropDatabase()));
  await client.close();
});

async function migrate(service: string): Promise<number> {
  const child = spawn(process.execPath, [`services/${service}/src/migrate-main.ts`], {
    cwd: repoRoot,
    env: { PATH: process.env.PATH, MONGODB_URI: uri, MONGODB_DATABASE: migrated(service), LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return (await once(child, 'exit'))[0] as number;
}

/** Every index of a database, without the collections that have but that of `_id`. */
async function indexesOf(database: string): Promise<string[]> {
  const db = client.db(database);
  const collections = await db.listCollections({}, { nameOnly: true }).toArray();
  const lists = await Promise.all(
    collections.map(async ({ name }) => {
      const indexes = await db.collection(name).indexes();
      return indexes.map(({ v: _v, name: _name, ns: _ns, background: _background, ...index }) =>
        JSON.stringify([name, Object.entries(index).sort()]),
      );
    }),
  );
  return lists
    .flat()
    .filter((index) => !index.includes('[["key",{"_id":1}]]'))
    .sort();
}

test.each(services)('the migration of %s makes what a start of it makes, and may run twice', async (service) => {
  expect(await Promise.all([migrate(service), migrate(service)])).toEqual([0, 0]);
  expect(await migrate(service)).toBe(0);
  const made = await indexesOf(migrated(service));
  expect(made).toEqual(await indexesOf(`tallycard_${service}`));
  expect(made.length).toBeGreaterThan(0);
});

test('a migration without its database says what it lacks', async () => {
  const child = spawn(process.execPath, ['services/loyalty/src/migrate-main.ts'], {
    cwd: repoRoot,
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let told = '';
  child.stderr.on('data', (chunk) => {
    told += chunk;
  });
  const [code] = await once(child, 'exit');
  expect([code, told]).toEqual([78, expect.stringContaining('MONGODB_URI is required')]);
});
