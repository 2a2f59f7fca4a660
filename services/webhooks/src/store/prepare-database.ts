import type { Connection } from 'mongoose';
import { createIndexes } from '#platform/mongo/mongo.ts';
import { deliveryCollection } from './delivery-schema.ts';
import { webhookCollection } from './webhook-schema.ts';

/** Makes the collections and indexes that webhooks needs; safe to run on each start and side by side. */
export async function prepareDatabase(connection: Connection): Promise<void> {
  webhookCollection(connection);
  deliveryCollection(connection);
  await createIndexes(connection);
}
