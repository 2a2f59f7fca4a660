import type { Connection } from 'mongoose';
import { ConfigError, type Env, EnvReader } from '../process/env.ts';
import { createLogger } from '../telemetry/logging.ts';
import { connectMongo } from './mongo.ts';

/**
 * Brings a service's database to what this version needs, and ends the process: before a new version comes in, so that
 * a large index is built once and by nobody who serves requests. Reads `MONGODB_URI`, `MONGODB_DATABASE`
 * (`tallycard_<service>`) and `LOG_LEVEL`. Exit codes: 0 done, 1 failed, 78 (EX_CONFIG) bad configuration.
 * @param prepare - safe to run again, and side by side
 */
export async function runMigration(
  service: string,
  env: Env,
  prepare: (connection: Connection) => Promise<void>,
): Promise<void> {
  try {
    const reader = new EnvReader(env);
    const { logLevel, ...mongo } = reader.done({
      logLevel: reader.string('LOG_LEVEL', 'info'),
      uri: reader.string('MONGODB_URI'),
      database: reader.string('MONGODB_DATABASE', `tallycard_${service}`),
    });
    const logger = createLogger(`${service}-migration`, logLevel);
    const startedAt = performance.now();
    const connection = await connectMongo(mongo, logger);
    try {
      await prepare(connection);
    } finally {
      await connection.close();
    }
    logger.info({ database: mongo.database, ms: Math.round(performance.now() - startedAt) }, 'the database is ready');
    process.exitCode = 0;
  } catch (error) {
    process.stderr.write(`${error instanceof ConfigError ? error.message : String((error as Error).stack)}\n`);
    process.exitCode = error instanceof ConfigError ? 78 : 1;
  }
}
