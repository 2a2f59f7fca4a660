import mongoose, { type ClientSession, type Connection, type mongo } from 'mongoose';
import type { Logger } from './logging.ts';
import { retry } from './retry.ts';

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
    });
    try {
      return await connection.asPromise();
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

const transactionAttemptsMax = 10;

/**
 * Runs `work` in one snapshot transaction, again when another transaction got in the way.
 * For everything but the card ledger, which commits in groups and has rules of its own.
 */
export async function withTransaction<T>(
  connection: Connection,
  work: (session: ClientSession) => Promise<T>,
): Promise<T> {
  const session = await connection.startSession();
  try {
    return await retry(
      () =>
        session.withTransaction(() => work(session), { readConcern: { level: 'snapshot' }, writeConcern: majority }),
      { attemptsMax: transactionAttemptsMax, delayMs: 5, delayMsMax: 100 },
      isTransient,
    );
  } finally {
    await session.endSession();
  }
}

/** Whether the transaction surely did not commit and may be run again. */
export function isTransient(error: unknown): boolean {
  return (error as mongo.MongoError).hasErrorLabel?.('TransientTransactionError') === true;
}

/** Whether a unique index refused the write. */
export function isDuplicateKey(error: unknown): boolean {
  return (error as mongo.MongoServerError).code === 11000;
}
