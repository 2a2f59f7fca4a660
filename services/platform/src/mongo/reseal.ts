import mongoose, { type Connection, type mongo } from 'mongoose';
import { type KeyRing, open, readKeyRing, seal } from '../encryption.ts';
import { ConfigError, type Env, EnvReader } from '../process/env.ts';
import { delay } from '../retry.ts';
import { createLogger } from '../telemetry/logging.ts';
import { connectMongo } from './mongo.ts';

/** A field that holds a sealed value, bound to the record's id. */
export interface SealedField {
  readonly collection: string;
  readonly field: string;
}

/** What became of one field's values. */
export interface ResealCounts {
  /** Sealed anew with the ring's first key. */
  resealed: number;
  /** Changed or deleted by somebody else meanwhile; looked at again in the next pass. */
  changedMeanwhile: number;
  /** In the last pass: sealed with the first key already. */
  current: number;
  /** In the last pass: no key of the ring opens them. */
  unopened: number;
}

export interface ResealReport {
  readonly counts: ReadonlyMap<SealedField, ResealCounts>;
  /** Of the values that do not open, at most {@link faultsMax}. */
  readonly faults: readonly string[];
  /** The last pass found nothing that an older key sealed. */
  readonly settled: boolean;
}

const faultsMax = 100;
/** New records go on to be sealed by pods; more passes than these find old ones only if pods seal with an older key. */
const passesMax = 10;
const batchMaxDefault = 200;
const sealedPattern = /^[A-Za-z0-9_-]{1,32}\./;
/** MongoDB's WriteConflict. */
const writeConflict = 112;

type Row = { readonly _id: mongo.ObjectId } & Readonly<Record<string, unknown>>;
type Rows = mongo.Collection<mongo.BSON.Document>;

/**
 * Seals anew, with the ring's first key, what an older one sealed. An update changes the sealed bytes alone, and only if
 * they are still those that were opened; so it may run twice, beside the service, and be killed at any time. It passes
 * over everything until a pass finds nothing old, and opens everything, so that all is proven to open without the old keys.
 * Rests after each batch for as long as that took.
 */
export async function reseal(
  connection: Connection,
  fields: readonly SealedField[],
  ring: KeyRing,
  { batchMax = batchMaxDefault, beforeWrite }: { batchMax?: number; beforeWrite?: () => Promise<void> } = {},
): Promise<ResealReport> {
  const counts = new Map<SealedField, ResealCounts>();
  const faults: string[] = [];
  for (const field of fields) counts.set(field, { resealed: 0, changedMeanwhile: 0, current: 0, unopened: 0 });
  for (let pass = 1; ; pass += 1) {
    let older = 0;
    faults.length = 0;
    for (const [field, count] of counts) {
      Object.assign(count, { current: 0, unopened: 0 });
      const rows = connection.collection(field.collection) as unknown as Rows;
      for await (const batch of batchesOf(rows, field, batchMax)) {
        const beganAt = performance.now();
        older += await resealBatch({ rows, field, ring, count, faults, beforeWrite }, batch);
        await delay(performance.now() - beganAt);
      }
    }
    if (older === 0 || pass >= passesMax) return { counts, faults, settled: older === 0 };
  }
}

/** All records, by id, so that no cursor has to stay open. */
async function* batchesOf(rows: Rows, { field }: SealedField, batchMax: number): AsyncGenerator<Row[]> {
  let after: mongo.ObjectId | undefined;
  for (;;) {
    const batch = (await rows
      .find(after === undefined ? {} : { _id: { $gt: after } }, { projection: { [field]: 1 } })
      .sort({ _id: 1 })
      .limit(batchMax)
      .toArray()) as Row[];
    const last = batch.at(-1);
    if (last === undefined) return;
    yield batch;
    after = last._id;
  }
}

interface BatchWork {
  readonly rows: Rows;
  readonly field: SealedField;
  readonly ring: KeyRing;
  readonly count: ResealCounts;
  readonly faults: string[];
  /** For tests: what happens between reading and writing. */
  readonly beforeWrite: (() => Promise<void>) | undefined;
}

/** @returns how many an older key had sealed */
async function resealBatch(work: BatchWork, batch: readonly Row[]): Promise<number> {
  const { rows, field, ring, count, faults } = work;
  const updates: mongo.AnyBulkWriteOperation[] = [];
  for (const { _id, [field.field]: value } of batch) {
    const id = String(_id);
    try {
      // Said without the value: it may be a secret that was never sealed.
      if (typeof value !== 'string' || !sealedPattern.test(value)) throw new Error('holds no sealed value');
      const plaintext = open(value, id, ring);
      if (value.startsWith(`${ring.current}.`)) {
        count.current += 1;
        continue;
      }
      const filter = { _id, [field.field]: value };
      updates.push({ updateOne: { filter, update: { $set: { [field.field]: seal(plaintext, id, ring) } } } });
    } catch (error) {
      count.unopened += 1;
      if (faults.length < faultsMax) faults.push(`${field.collection} ${id}: ${(error as Error).message}`);
    }
  }
  if (updates.length === 0) return 0;
  await work.beforeWrite?.();
  const resealed = await modifiedBy(rows, updates);
  count.resealed += resealed;
  count.changedMeanwhile += updates.length - resealed;
  return updates.length;
}

/** An update that meets a transaction may be refused as a conflict: it is as one that came too late. */
async function modifiedBy(rows: Rows, updates: mongo.AnyBulkWriteOperation[]): Promise<number> {
  try {
    return (await rows.bulkWrite(updates, { ordered: false })).modifiedCount;
  } catch (error) {
    if (!(error instanceof mongoose.mongo.MongoBulkWriteError)) throw error;
    const all = [error.writeErrors].flat();
    if (all.length === 0 || all.some(({ code }) => code !== writeConflict)) throw error;
    return error.result.modifiedCount;
  }
}

/**
 * {@link reseal} as a command: reads `MONGODB_URI`, `MONGODB_DATABASE` (`tallycard_<service>`), `LOG_LEVEL` and the key ring,
 * and prints counts.
 * @returns the exit code: 0 all open with the first key alone, 1 some do not open or an older key is still in use, 78 (EX_CONFIG)
 */
export async function runReseal(
  service: string,
  env: Env,
  { ringName, fields }: { readonly ringName: string; readonly fields: readonly SealedField[] },
  print: (line: string) => void = (line) => void process.stdout.write(`${line}\n`),
): Promise<number> {
  try {
    const reader = new EnvReader(env);
    const { logLevel, ring, ...mongoConfig } = reader.done({
      logLevel: reader.string('LOG_LEVEL', 'warn'),
      uri: reader.string('MONGODB_URI'),
      database: reader.string('MONGODB_DATABASE', `tallycard_${service}`),
      ring: readKeyRing(reader, ringName),
    });
    const connection = await connectMongo(mongoConfig, createLogger(`${service}-reseal`, logLevel));
    try {
      return tell(await reseal(connection, fields, ring), ring.current, print);
    } finally {
      await connection.close();
    }
  } catch (error) {
    process.stderr.write(`${error instanceof ConfigError ? error.message : String((error as Error).stack)}\n`);
    return error instanceof ConfigError ? 78 : 1;
  }
}

function tell({ counts, faults, settled }: ResealReport, keyId: string, print: (line: string) => void): number {
  let unopened = 0;
  for (const [{ collection, field }, count] of counts) {
    unopened += count.unopened;
    print(`${collection}.${field}: ${JSON.stringify(count)}`);
  }
  for (const fault of faults) print(`FAULT ${fault}`);
  if (!settled) print(`something still seals with an older key: do all pods have ${keyId} first?`);
  if (unopened > 0) print(`${unopened} records cannot be opened`);
  if (!settled || unopened > 0) return 1;
  print(`everything is sealed with ${keyId}`);
  return 0;
}
