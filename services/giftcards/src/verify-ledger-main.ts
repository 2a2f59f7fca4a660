import { connectMongo } from '#platform/mongo/mongo.ts';
import { EnvReader } from '#platform/process/env.ts';
import { createLogger } from '#platform/telemetry/logging.ts';
import { cardCollection } from './store/card-schema.ts';
import { entryCollection } from './store/entry-schema.ts';
import { idempotencyCollection } from './store/idempotency-schema.ts';
import { verifyLedger } from './store/verify-ledger.ts';

/**
 * Checks the database at MONGODB_URI, MONGODB_DATABASE (tallycard_giftcards) and prints counts and faults.
 * @returns the exit code: 0 clean, 1 with faults.
 */
export async function verifyLedgerMain(env: NodeJS.ProcessEnv): Promise<number> {
  const reader = new EnvReader(env);
  const config = reader.done({
    uri: reader.string('MONGODB_URI'),
    database: reader.string('MONGODB_DATABASE', 'tallycard_giftcards'),
  });
  const connection = await connectMongo(config, createLogger('verify-ledger', 'warn'));
  try {
    const report = await verifyLedger({
      cards: cardCollection(connection),
      entries: entryCollection(connection),
      idempotency: idempotencyCollection(connection),
    });
    const { faults, faultCount, ...counts } = report;
    for (const [name, count] of Object.entries(counts)) process.stdout.write(`${name}: ${JSON.stringify(count)}\n`);
    for (const fault of faults) process.stdout.write(`FAULT ${fault}\n`);
    process.stdout.write(faultCount === 0 ? 'ledger is clean\n' : `${faultCount} faults\n`);
    return faultCount === 0 ? 0 : 1;
  } finally {
    await connection.close();
  }
}

if (import.meta.main) process.exitCode = await verifyLedgerMain(process.env);
