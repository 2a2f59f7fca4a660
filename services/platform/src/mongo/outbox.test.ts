import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Connection } from 'mongoose';
import { newId } from '../ids.ts';
import type { DomainEvent, EncodedEvent, EventPublisher } from '../kafka/kafka.ts';
import { delay } from '../retry.ts';
import { connectMongo, withTransaction } from './mongo.ts';
import { createOutbox, type Outbox } from './outbox.ts';

const silent = { debug() {}, info() {}, warn() {}, error() {} };
let connection: Connection;
let outboxes: Outbox[];

beforeEach(async () => {
  const database = `test_outbox_${randomBytes(4).toString('hex')}`;
  connection = await connectMongo({ uri: String(process.env.TEST_MONGODB_URI), database }, silent);
  outboxes = [];
});
afterEach(async () => {
  await Promise.all(outboxes.map((outbox) => outbox.stop()));
  await connection.dropDatabase();
  await connection.close();
});

function newOutbox(): Outbox {
  const outbox = createOutbox(connection);
  outboxes.push(outbox);
  return outbox;
}

const event = (type: string): DomainEvent => ({ id: newId(), type, merchantId: newId(), timestamp: '', data: {} });

/** Keeps what is published; fails as often as told. */
class MemoryPublisher implements EventPublisher {
  readonly types: string[] = [];
  failuresLeft = 0;
  async publish(events: readonly EncodedEvent[]): Promise<void> {
    if (this.failuresLeft-- > 0) throw new Error('broker down');
    this.types.push(...events.map(({ type }) => type));
  }
  async stop(): Promise<void> {}
}

async function untilEmpty(outbox: Outbox): Promise<void> {
  while ((await outbox.pending()) > 0) await delay(5);
}

test('committed events are published in the order of their time, rolled back ones never', async () => {
  const outbox = newOutbox();
  const append = (at: number, type: string) =>
    withTransaction(connection, (session) => outbox.append(session, new Date(at), [event(type)]));
  await append(2, 'second');
  await append(1, 'first');
  await withTransaction(connection, async (session) => {
    await outbox.append(session, new Date(3), [event('never')]);
    throw new Error('rolled back');
  }).catch(() => undefined);
  await append(4, 'third');
  const publisher = new MemoryPublisher();
  outbox.startRelay(publisher, silent);
  await untilEmpty(outbox);
  expect(publisher.types).toEqual(['first', 'second', 'third']);
});

test('while the broker is down events wait, and go out when it is back', async () => {
  const outbox = newOutbox();
  const publisher = new MemoryPublisher();
  publisher.failuresLeft = 2;
  await withTransaction(connection, (session) => outbox.append(session, new Date(), [event('a'), event('b')]));
  outbox.startRelay(publisher, silent);
  await untilEmpty(outbox);
  expect(publisher.types).toEqual(['a', 'b']);
});

test('one relay publishes at a time; another takes over when it stops', async () => {
  const [first, second] = [newOutbox(), newOutbox()];
  const [firstPublisher, secondPublisher] = [new MemoryPublisher(), new MemoryPublisher()];
  first.startRelay(firstPublisher, silent);
  await withTransaction(connection, (session) => first.append(session, new Date(), [event('one')]));
  await untilEmpty(first);
  second.startRelay(secondPublisher, silent);
  await withTransaction(connection, (session) => second.append(session, new Date(), [event('two')]));
  second.wake();
  await untilEmpty(second);
  expect([firstPublisher.types, secondPublisher.types]).toEqual([['one', 'two'], []]);
  await first.stop();
  await withTransaction(connection, (session) => second.append(session, new Date(), [event('three')]));
  await untilEmpty(second);
  expect(secondPublisher.types).toEqual(['three']);
});
