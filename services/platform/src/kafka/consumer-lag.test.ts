import { afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Kafka } from 'kafkajs';
import { Registry } from 'prom-client';
import { newId } from '../ids.ts';
import { createTestLogger, testComponent } from '../testing.ts';
import { partitionsToTell } from './consumer-lag.ts';
import {
  createEventPublisher,
  createKafka,
  type DomainEvent,
  type EventPublisher,
  type EventSubscription,
  encodeEvent,
  eventsTopic,
  subscribeToEvents,
} from './kafka.ts';

const logger = createTestLogger();
const brokers = testComponent('TEST_KAFKA_BROKERS').split(',');
let kafka: Kafka;
let publisher: EventPublisher;
let prefix: string;
const subscriptions: EventSubscription[] = [];

beforeAll(() => {
  kafka = createKafka({ brokers, prefix: '' }, 'consumer-lag-test', logger);
});
beforeEach(() => {
  prefix = `test-${newId()}.`;
  publisher = createEventPublisher(kafka, prefix);
});
const stopAll = () => Promise.all(subscriptions.splice(0).map((subscription) => subscription.stop()));
afterEach(async () => {
  await stopAll();
  await publisher.stop();
});

const eventsOf = (merchantId: string, count: number) =>
  Array.from({ length: count }, (): DomainEvent => {
    const timestamp = new Date().toISOString();
    return { id: newId(), type: 'giftcard.created', merchantId, timestamp, data: {} };
  }).map(encodeEvent);

/** A member of the group `lag`, with the metrics of a process of its own. */
function consume(onEvents: (events: readonly DomainEvent[]) => Promise<void>): Registry {
  const registry = new Registry();
  subscriptions.push(subscribeToEvents(kafka, { prefix, group: 'lag', logger, registry }, onEvents));
  return registry;
}

/** Values by partition. */
async function read(registry: Registry, name: 'lag_events' | 'offset'): Promise<Record<string, number>> {
  const text = await registry.metrics();
  const pattern = new RegExp(`^tallycard_consumer_${name}\\{group="lag",partition="(\\d+)"\\} (\\S+)$`, 'gm');
  return Object.fromEntries([...text.matchAll(pattern)].map(([, partition = '', value]) => [partition, Number(value)]));
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const endsAt = Date.now() + 40_000;
  while (!(await holds())) {
    if (Date.now() > endsAt) throw new Error(`never: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const sum = (lags: Record<string, number>) => Object.values(lags).reduce((total, lag) => total + lag, 0);

async function makeTopic(numPartitions: number): Promise<void> {
  const admin = kafka.admin();
  await admin.connect();
  await admin.createTopics({ topics: [{ topic: prefix + eventsTopic, numPartitions }] });
  await admin.disconnect();
}

test('a consumer that stands still shows what piles up, also when Kafka has put it out of its group', async () => {
  const held = Promise.withResolvers<void>();
  const got: string[] = [];
  const registry = consume(async (events) => {
    got.push(...events.map(({ id }) => id));
    await held.promise;
  });
  const merchantId = newId();
  await publisher.publish(eventsOf(merchantId, 3));
  await until('the first batch is being processed', async () => got.length === 3);
  await publisher.publish(eventsOf(merchantId, 4));
  await until('all seven wait', async () => sum(await read(registry, 'lag_events')) === 7);
  expect(Object.keys(await read(registry, 'lag_events'))).toHaveLength(6);
  expect(sum(await read(registry, 'offset'))).toBe(0);

  const admin = kafka.admin();
  await admin.connect();
  await until('the group is empty', async () => {
    const { groups } = await admin.describeGroups([`${prefix}lag`]);
    return groups[0]?.state === 'Empty';
  });
  await admin.disconnect();
  await publisher.publish(eventsOf(merchantId, 2));
  await until('nine wait', async () => sum(await read(registry, 'lag_events')) === 9);

  held.resolve();
  await until('none wait', async () => sum(await read(registry, 'lag_events')) === 0);
  expect(sum(await read(registry, 'offset'))).toBe(9);
}, 90_000);

test('each partition is told of by the one that has it; one without any tells nothing', async () => {
  await makeTopic(1);
  const held = Promise.withResolvers<void>();
  const registries = [consume(() => held.promise), consume(() => held.promise)];
  const told = () => Promise.all(registries.map((registry) => read(registry, 'lag_events')));
  await until('both have joined', async () => subscriptions.every((subscription) => subscription.isRunning()));
  await until('one of two tells', async () => (await told()).filter((lags) => '0' in lags).length === 1);

  const [first = {}] = await told();
  const owner = '0' in first ? 0 : 1;
  await subscriptions[owner]?.stop();
  await until('the other tells', async () => '0' in ((await told())[1 - owner] ?? {}));
  expect((await told())[owner]).toEqual({});
  held.resolve();
}, 90_000);

test('without Kafka nothing is told, and the other metrics are', async () => {
  const registry = new Registry();
  const away = createKafka({ brokers: ['127.0.0.1:9'], prefix: '' }, 'consumer-lag-test', logger);
  subscriptions.push(subscribeToEvents(away, { prefix, group: 'lag', logger, registry }, async () => undefined));
  expect(await read(registry, 'lag_events')).toEqual({});
  expect(await registry.metrics()).toContain('# TYPE tallycard_consumer_lag_events gauge');
});

test('what no other member has is told of, and while members are being given theirs what was before', () => {
  const members = [
    { memberId: 'a', partitions: [0] },
    { memberId: 'b', partitions: [1] },
  ];
  const stable = { state: 'Stable', members };
  expect(partitionsToTell([0, 1, 2], stable, 'a', undefined)).toEqual([0, 2]);
  expect(partitionsToTell([0, 1], stable, 'put out', [0, 1])).toEqual([]);
  expect(partitionsToTell([0, 1], { state: 'Empty', members: [] }, 'a', [0])).toEqual([0, 1]);
  for (const state of ['PreparingRebalance', 'CompletingRebalance']) {
    const joining = { state, members: [{ memberId: 'b', partitions: [] }] };
    expect(partitionsToTell([0, 1], joining, 'a', [0])).toEqual([0]);
    expect(partitionsToTell([0, 1], joining, 'a', undefined)).toEqual([0, 1]);
  }
});
