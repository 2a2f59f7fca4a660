import type { Connection } from 'mongoose';
import { createIndexes } from '#platform/mongo/mongo.ts';
import { createOutbox } from '#platform/mongo/outbox.ts';
import { cardCollection } from './card-schema.ts';
import { codeAttemptCollection } from './code-attempt-store.ts';
import { entryCollection } from './entry-schema.ts';
import { idempotencyCollection } from './idempotency-schema.ts';

/** Makes the collections and indexes that giftcards needs; safe to run on each start and side by side. */
export async function prepareDatabase(connection: Connection): Promise<void> {
  cardCollection(connection);
  entryCollection(connection);
  idempotencyCollection(connection);
  codeAttemptCollection(connection);
  await Promise.all([createIndexes(connection), createOutbox(connection).createIndexes()]);
}
