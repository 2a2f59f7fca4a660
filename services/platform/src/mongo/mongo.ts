import { AsyncLocalStorage } from 'node:async_hooks';
import mongoose, { type ClientSession, type Connection, type mongo } from 'mongoose';
import { unavailable } from '../errors.ts';
import { retry } from '../retry.ts';
import type { Logger } from '../telemetry/logging.ts';
import { tracing } from '../telemetry/tracing.ts';
import { traceCommands } from './spans.ts';

export interface MongoConfig {
  readonly uri: string;
  readonly database: string;
}

const majority = { w: 'majority', j: true } as const;

/** Opens a pool that writes with `w: majority`, journalled. Keeps trying for about a minute while MongoDB starts. */
export async function connectMongo(config: MongoConfig, logger: Logger): Promise<Connection> {
  const open = async () => {
    const connection = mongoose.createConnection(config.uri, {
      dbName: config.database,
      autoIndex: false,
      autoCreate: false,
      bufferCommands: false,
      maxPoolSize: 32,
      serverSelectionTimeoutMS: 5_000,
      socketTimeoutMS: 30_000,
      // An absent field is left out, not stored as null.
      ignoreUndefined: true,
      readConcern: { level: 'majority' },
      writeConcern: majority,
      monitorCommands: tracing() !== undefined,
    });
    try {
      await connection.asPromise();
      // One that is named directly answers as soon as it runs, also while it waits to be made a replica set.
      const { isWritablePrimary } = await connection.getClient().db('admin').command({ hello: 1 });
      if (isWritablePrimary !== true) throw new Error('MongoDB runs, but takes no writes yet');
      traceCommands(connection);
      return connection;
    } catch (error) {
      logger.warn({ err: (error as Error).message }, 'MongoDB does not answer yet');
      await connection.close(true).catch(() => undefined);
      throw error;
    }
  };
  return retry(open, { attemptsMax: 30, delayMs: 200, delayMsMax: 3_000 });
}

/** Creates the indexes of every model of the connection; safe to run on each start and side by side. */
export async function createIndexes(connection: Connection): Promise<void> {
  for (const model of Object.values(connection.models)) {
    await retry(() => model.createCollection().then(() => model.createIndexes()), {
      attemptsMax: 5,
      delayMs: 100,
      delayMsMax: 1_000,
    });
  }
}

const transactionAttemptsMax = 20;
const transactionOptions = { readConcern: { level: 'snapshot' }, writeConcern: majority } as const;

/** The transaction that the code under way is part of. */
const ambient = new AsyncLocalStorage<{ readonly connection: Connection; readonly session: ClientSession }>();
// Inside `Connection.transaction`, every call on a model uses its session without being told.
mongoose.set('transactionAsyncLocalStorage', true);

/**
 * Runs `work` in one snapshot transaction, again when another transaction got in the way; inside a {@link Transaction}
 * of the same connection it becomes part of that one.
 * For everything but the card ledger, which commits in groups and has rules of its own.
 */
export async function withTransaction<T>(
  connection: Connection,
  work: (session: ClientSession) => Promise<T>,
): Promise<T> {
  const outer = ambient.getStore();
  if (outer?.connection === connection) return work(outer.session);
  const session = await connection.startSession();
  try {
    return await session.withTransaction(bounded(work), transactionOptions);
  } finally {
    await session.endSession();
  }
}

/**
 * Runs `work` so that all store calls in it commit together or, when it throws, not at all. `work` may run more than
 * once, so it changes nothing but the database; its store calls come one after another, since a session cannot do two
 * things at once; and it throws, rather than goes on, after a write that a unique index refused.
 */
export type Transaction = <T>(work: () => Promise<T>) => Promise<T>;

/** The {@link Transaction} of one connection's models, and of whatever uses {@link withTransaction} on it. */
export function createTransaction(connection: Connection): Transaction {
  return (work) => {
    if (ambient.getStore()?.connection === connection) return work();
    const inSession = (session: ClientSession) => ambient.run({ connection, session }, work);
    return connection.transaction(bounded(inSession), transactionOptions);
  };
}

/** The driver runs `work` again while other transactions get in the way, for up to two minutes: too long for a caller. */
function bounded<T>(work: (session: ClientSession) => Promise<T>): (session: ClientSession) => Promise<T> {
  let attempts = 0;
  return async (session) => {
    attempts += 1;
    if (attempts > transactionAttemptsMax) throw unavailable('The record is being changed. Try again.');
    return work(session);
  };
}

/** Whether the transaction surely did not commit and may be run again. */
export function isTransient(error: unknown): boolean {
  return (error as mongo.MongoError).hasErrorLabel?.('TransientTransactionError') === true;
}

/** Whether a unique index refused the write. */
export function isDuplicateKey(error: unknown): boolean {
  return (error as mongo.MongoServerError).code === 11000;
}
