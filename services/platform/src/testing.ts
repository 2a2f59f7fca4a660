import { randomBytes } from 'node:crypto';
import mongoose from 'mongoose';
import type { Caller } from './grpc/caller.ts';
import type { MongoConfig } from './mongo/mongo.ts';
import type { Logger } from './telemetry/logging.ts';

/** Where a component of the shared test stack is. @throws when the tests run without it. */
export function testComponent(name: 'TEST_MONGODB_URI' | 'TEST_REDIS_URL' | 'TEST_KAFKA_BROKERS'): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run the tests with npm test`);
  return value;
}

/** A database of its own for one test file. */
export interface TestDatabase extends MongoConfig {
  /** For tests that look at or spoil what is stored. */
  readonly connection: mongoose.Connection;
  drop(): Promise<void>;
}

export async function createTestDatabase(name: string): Promise<TestDatabase> {
  const uri = testComponent('TEST_MONGODB_URI');
  const database = `test_${name}_${randomBytes(4).toString('hex')}`;
  const connection = await mongoose.createConnection(uri, { dbName: database }).asPromise();
  const drop = async () => {
    await connection.dropDatabase();
    await connection.close();
  };
  return { uri, database, connection, drop };
}

/** A caller as the gateway would sign it; `anonymous` unless told otherwise. */
export function testCaller(fields: Partial<Caller> = {}): Caller {
  const nobody = { merchantId: '', userId: '', credentialId: '' };
  return { kind: 'anonymous', ...nobody, requestId: 'test-request', ip: '127.0.0.1', ...fields };
}

/** A logger that keeps its lines, for tests that look for what must not be there. */
export function createTestLogger(): Logger & { readonly lines: string[] } {
  const lines: string[] = [];
  const log = (fields: object, message: string) => {
    const { err, ...rest } = fields as { err?: unknown };
    const told = err instanceof Error ? `${err.stack} ${JSON.stringify(err)}` : err;
    lines.push(JSON.stringify({ ...rest, err: told, message }));
  };
  return { lines, debug: log, info: log, warn: log, error: log };
}
