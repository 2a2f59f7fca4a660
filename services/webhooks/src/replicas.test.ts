import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { newId } from '#platform/ids.ts';
import { createTestDatabase } from '#platform/testing.ts';
import { enabledWebhook, eventOf, objectId, startWebhooks, until, type WebhooksUnderTest } from './testing.ts';
import { ok, type Receiver, silent, startReceiver } from './testing-receiver.ts';

let service: WebhooksUnderTest;
let receiver: Receiver;
let merchantId: string;

beforeEach(async () => {
  merchantId = newId();
  receiver = await startReceiver();
  service = await startWebhooks({ env: { WEBHOOK_TIMEOUT_MS: '10000' } });
});
afterEach(async () => {
  await service.stop();
  await receiver.stop();
});

const allDelivered = async (endpointId: string) =>
  (await service.deliveries(endpointId)).every((delivery) => delivery.status === 'delivered');

it('sends again what a crashed process had claimed, once its lease has run out', async () => {
  const { id } = await enabledWebhook(service, merchantId, receiver.url);
  const claimedByTheDead = {
    _id: objectId(newId()),
    merchantId: objectId(merchantId),
    endpointId: objectId(id),
    eventId: objectId(newId()),
    type: 'giftcard.voided',
    payload: JSON.stringify({ id: newId(), type: 'giftcard.voided', data: {} }),
    status: 'pending',
    attempts: 0,
    lockedBy: 'the dead',
    occurredAt: new Date(),
    createdAt: new Date(),
  };
  const leaseEnd = new Date(Date.now() + 700);
  await service.database.connection
    .collection('deliveries')
    .insertOne({ ...claimedByTheDead, nextAttemptAt: leaseEnd, lockedUntil: leaseEnd });
  await until('the delivery', () => allDelivered(id));
  expect(receiver.received).toHaveLength(1);
  expect(receiver.received[0]?.at).toBeGreaterThanOrEqual(leaseEnd.getTime());
  expect((await service.deliveries(id))[0]).toMatchObject({ attempts: 1 });
});

it('gives back what it is sending when it stops, for the next process to send at once', async () => {
  receiver.answer = silent;
  const database = await createTestDatabase('webhooks');
  const options = { database, env: { WEBHOOK_TIMEOUT_MS: '10000' } };
  const stopping = await startWebhooks(options);
  const { id } = await enabledWebhook(stopping, merchantId, receiver.url);
  await stopping.emit(eventOf(merchantId), eventOf(merchantId), eventOf(merchantId));
  await until('a try', () => receiver.received.length > 0);
  await stopping.stop();
  receiver.answer = ok;
  const next = await startWebhooks(options);
  // With the leases of the first they would stay where they are for longer than this waits.
  await until('all', async () => (await next.deliveries(id)).every((delivery) => delivery.status === 'delivered'));
  expect((await next.deliveries(id)).map((delivery) => delivery.attempts)).toEqual([1, 1, 1]);
  await next.stop();
  await database.drop();
});

it('shares the work between replicas without sending anything twice', async () => {
  const { id } = await enabledWebhook(service, merchantId, receiver.url);
  const replicas = [service, await service.startReplica(), await service.startReplica()];
  const events = Array.from({ length: 300 }, () => eventOf(merchantId));
  await Promise.all(replicas.map((replica) => replica.emit(...events)));
  await until('all', async () => (await allDelivered(id)) && (await service.deliveries(id)).length === events.length);
  expect(receiver.received).toHaveLength(events.length);
  expect(new Set(receiver.received.map((request) => request.body.id)).size).toBe(events.length);
});

it('lets every replica know of an endpoint by the time that enabling it answers', async () => {
  const other = await service.startReplica();
  for (let round = 0; round < 5; round += 1) {
    const merchant = newId();
    await other.emit(eventOf(merchant));
    const { id } = await enabledWebhook(service, merchant, receiver.url);
    await other.emit(eventOf(merchant));
    expect(await service.deliveries(id)).toHaveLength(1);
  }
});
