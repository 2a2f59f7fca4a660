import type { Connection } from 'mongoose';
import { createIndexes } from '#platform/mongo/mongo.ts';
import { programSchema } from './program-schema.ts';
import { ruleSchema } from './rule-schema.ts';

/** Makes the collections and indexes that loyalty needs; safe to run on each start and side by side. */
export async function prepareDatabase(connection: Connection): Promise<void> {
  connection.model('Program', programSchema);
  connection.model('Rule', ruleSchema);
  await createIndexes(connection);
}
