import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { newId } from '#platform/ids.ts';
import { createEventPublisher, createKafka, encodeEvent } from '#platform/kafka/kafka.ts';
import { createTestLogger, testComponent } from '#platform/testing.ts';
import { enabledWebhook, eventOf, startWebhooks, until, type WebhooksUnderTest } from './testing.ts';
import { freePort, type Receiver, startReceiver } from './testing-receiver.ts';

let receiver: Receiver;
let service: WebhooksUnderTest | undefined;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  await service?.stop();
  await receiver.stop();
});

/** With the real subscription instead of the one that tests feed by hand. */
const overrides = { subscribe: undefined };

it('delivers what services publish, in order', async () => {
  const prefix = `test-${newId()}.`;
  const brokers = testComponent('TEST_KAFKA_BROKERS');
  service = await startWebhooks({ env: { KAFKA_BROKERS: brokers, KAFKA_PREFIX: prefix }, overrides });
  const merchantId = newId();
  const { id } = await enabledWebhook(service, merchantId, receiver.url);
  const publisher = createEventPublisher(
    createKafka({ brokers: brokers.split(','), prefix }, 'webhooks-test', createTestLogger()),
    prefix,
  );
  const events = Array.from({ length: 450 }, () => eventOf(merchantId));
  await publisher.publish(events.map(encodeEvent));
  await publisher.publish(events.slice(0, 10).map(encodeEvent));
  await until('all', () => receiver.received.length === events.length);
  await publisher.stop();
  const stored = await service.deliveries(id);
  expect(stored.map((delivery) => delivery.eventId.toHexString())).toEqual(events.map((event) => event.id));
}, 60_000);

it('is ready and takes calls while Kafka is down', async () => {
  const healthPort = await freePort();
  service = await startWebhooks({ env: { HEALTH_PORT: String(healthPort) }, overrides });
  const { enabled } = await enabledWebhook(service, newId(), receiver.url);
  expect(enabled).toBe(true);
  expect((await fetch(`http://127.0.0.1:${healthPort}/readyz`)).status).toBe(200);
});
