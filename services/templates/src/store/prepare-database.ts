import type { Connection } from 'mongoose';
import { createIndexes } from '#platform/mongo/mongo.ts';
import { templateSchema } from './template-schema.ts';

/** Makes the collections and indexes that templates needs; safe to run on each start and side by side. */
export async function prepareDatabase(connection: Connection): Promise<void> {
  connection.model('Template', templateSchema);
  await createIndexes(connection);
}
