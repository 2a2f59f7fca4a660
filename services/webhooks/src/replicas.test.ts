import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { newId } from '#platform/ids.ts';
import {
  callerOf,
  enabledWebhook,
  eventOf,
  objectId,
  settingsOf,
  startWebhooks,
  until,
  type WebhooksUnderTest,
} from './testing.ts';
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
  await using first = await startWebhooks({ env: { WEBHOOK_TIMEOUT_MS: '30000' } });
  const { id } = await enabledWebhook(first, merchantId, receiver.url);
  receiver.answer = (...call) => (receiver.received.length <= 20 ? ok : silent)(...call);
  await first.emit(...Array.from({ length: 60 }, () => eventOf(merchantId)));
  await until('eight tries, and others held', () => receiver.received.length === 28);
  const next = await first.startReplica();
  receiver.answer = ok;
  await first.stopAlone();
  // Until the leases of the first run out, it would take longer than this waits.
  await until('all', async () => (await next.deliveries(id)).every((delivery) => delivery.status === 'delivered'));
  expect((await next.deliveries(id)).map((delivery) => delivery.attempts)).toEqual(Array(60).fill(1));
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
  await using first = await startWebhooks({ overrides: { subscriptionsMs: 500 } });
  const other = await first.startReplica();
  const caller = callerOf(merchantId);
  const { id } = await first.client.createWebhook({ settings: settingsOf(receiver.url) }, caller);
  await other.emit(eventOf(merchantId));
  await first.client.enableWebhook({ id }, caller);
  await other.emit(eventOf(merchantId));
  expect(await first.deliveries(id)).toHaveLength(1);
  await other.emit(eventOf(merchantId, { type: 'giftcard.voided' }));
  const settings = settingsOf(receiver.url, { allEventTypes: false, allowedEvents: ['giftcard.issued'] });
  await first.client.updateWebhook({ id, settings }, caller);
  await other.emit(eventOf(merchantId), eventOf(merchantId, { type: 'giftcard.issued' }));
  expect((await first.deliveries(id)).map((delivery) => delivery.type)).toEqual([
    'giftcard.redeemed',
    'giftcard.voided',
    'giftcard.issued',
  ]);
});
