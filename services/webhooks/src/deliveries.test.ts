import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { newId } from '#platform/ids.ts';
import type { DomainEvent } from '#platform/kafka/kafka.ts';
import { callerOf, enabledWebhook, eventOf, startWebhooks, until, type WebhooksUnderTest } from './testing.ts';
import { freePort, isSigned, ok, type Receiver, silent, startReceiver, status } from './testing-receiver.ts';

let service: WebhooksUnderTest;
let receiver: Receiver;
let merchantId: string;

beforeAll(async () => {
  service = await startWebhooks({ env: { WEBHOOK_TIMEOUT_MS: '400', WEBHOOK_RETRY_SCHEDULE_MS: '50,50,50' } });
});
afterAll(() => service.stop());
beforeEach(async () => {
  merchantId = newId();
  receiver = await startReceiver();
});
afterEach(() => receiver.stop());

const stateOf = async (endpointId: string) =>
  (await service.deliveries(endpointId)).map(({ status, attempts, lastStatus, lastError }) => {
    return { status, attempts, lastStatus, lastError };
  });
const allSettled = async (endpointId: string) =>
  (await service.deliveries(endpointId)).every((delivery) => delivery.status !== 'pending');
const webhookOf = (id: string) => service.client.getWebhook({ id }, callerOf(merchantId));

it('delivers the event, signed, with its id in every header and body', async () => {
  const { id, sharedSecret } = await enabledWebhook(service, merchantId, receiver.url);
  const event = eventOf(merchantId, { data: { amount: '12.50', note: 'schöne Grüße' } });
  await service.emit(event);
  await until('the delivery', () => allSettled(id));
  expect(receiver.received).toHaveLength(1);
  const [request] = receiver.received;
  expect(request?.body).toEqual(event);
  expect(request?.headers['webhook-id']).toBe(event.id);
  expect(Math.abs(Number(request?.headers['webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(5);
  expect(isSigned(request!, sharedSecret)).toBe(true);
  const [row] = await service.deliveries(id);
  expect(row).toMatchObject({ status: 'delivered', attempts: 1, lastStatus: 200, expiresAt: expect.any(Date) });
  expect(row?.payload).toBeUndefined();
});

it('tries again after a 500, with the same id, and goes on when it works', async () => {
  receiver.answer = (request, response, tries) => (tries < 3 ? status(500) : ok)(request, response, tries);
  const { id, sharedSecret } = await enabledWebhook(service, merchantId, receiver.url);
  const event = eventOf(merchantId);
  await service.emit(event);
  await until('the delivery', () => allSettled(id));
  expect(receiver.received.map((request) => request.headers['webhook-id'])).toEqual([event.id, event.id, event.id]);
  expect(receiver.received.every((request) => isSigned(request, sharedSecret))).toBe(true);
  expect(await stateOf(id)).toMatchObject([{ status: 'delivered', attempts: 3, lastStatus: 200 }]);
  expect(await webhookOf(id)).toMatchObject({ enabled: true });
});

it('disables the endpoint when all tries are used up, and drops what else is due', async () => {
  receiver.answer = status(503);
  const { id } = await enabledWebhook(service, merchantId, receiver.url);
  await service.emit(eventOf(merchantId));
  await until('the last try', () => allSettled(id));
  expect(receiver.received).toHaveLength(4);
  expect(await stateOf(id)).toMatchObject([
    { status: 'failed', attempts: 4, lastStatus: 503, lastError: 'status 503' },
  ]);
  expect(await webhookOf(id)).toMatchObject({ enabled: false, disabledReason: 'delivery_failed' });
});

it('disables the endpoint at once on 410', async () => {
  receiver.answer = status(410);
  const { id } = await enabledWebhook(service, merchantId, receiver.url);
  await service.emit(eventOf(merchantId));
  await until('the 410', () => allSettled(id));
  expect(receiver.received).toHaveLength(1);
  expect(await webhookOf(id)).toMatchObject({ disabledReason: 'gone' });
});

it.each([
  ['a slow answer', silent, { lastError: 'timeout' }],
  ['a redirect', status(307, { location: '/elsewhere' }), { lastStatus: 307, lastError: 'status 307' }],
] as const)('takes %s as a failure, without following', async (_what, answer, last) => {
  receiver.answer = answer;
  const { id } = await enabledWebhook(service, merchantId, receiver.url);
  await service.emit(eventOf(merchantId));
  await until('all tries', () => allSettled(id));
  expect(await stateOf(id)).toMatchObject([{ status: 'failed', attempts: 4, ...last }]);
  expect(receiver.received.map((request) => request.path)).toEqual(['/hook', '/hook', '/hook', '/hook']);
});

it('takes a refused connection as a failure, and comes back when somebody listens', async () => {
  await using patient = await startWebhooks({ env: { WEBHOOK_RETRY_SCHEDULE_MS: Array(50).fill(100).join() } });
  const { id } = await enabledWebhook(patient, merchantId, receiver.url);
  const { port } = receiver;
  await receiver.stop();
  await patient.emit(eventOf(merchantId));
  const last = async () => (await patient.deliveries(id))[0];
  await until('a failed try', async () => (await last())?.lastError === 'connection_failed');
  receiver = await startReceiver(port);
  await until('the delivery', async () => (await last())?.status === 'delivered');
  expect(await last()).not.toHaveProperty('lastError');
});

it.each([
  ['endless', true],
  ['never finished', false],
])('takes 2xx with a body that is %s as delivered, and cuts the connection', async (_how, flood) => {
  const state = { open: 0, bytes: 0 };
  const chunk = Buffer.alloc(64 * 1024, 'x');
  receiver.answer = (_request, response) => {
    state.open += 1;
    const write = () => {
      state.bytes += chunk.length;
      if (response.write(chunk) && flood) setImmediate(write);
    };
    response.writeHead(200).on('close', () => (state.open -= 1));
    if (flood) response.on('drain', write);
    write();
  };
  const { id } = await enabledWebhook(service, merchantId, receiver.url);
  await service.emit(eventOf(merchantId));
  await until('the delivery', () => allSettled(id));
  expect(await stateOf(id)).toMatchObject([{ status: 'delivered', attempts: 1 }]);
  await until('the cut', () => state.open === 0);
  expect(state.bytes).toBeLessThan(16 * 1024 * 1024);
});

it('drops repeated events', async () => {
  const { id } = await enabledWebhook(service, merchantId, receiver.url);
  const events = [eventOf(merchantId), eventOf(merchantId)] as const;
  await service.emit(events[0], events[0], events[1]);
  await service.emit(events[1], events[0]);
  const last = eventOf(merchantId);
  await service.emit(last);
  await until('the last', () => receiver.received.some((request) => request.body.id === last.id));
  await until('all', () => allSettled(id));
  expect(receiver.received.map((request) => request.body.id)).toEqual([events[0].id, events[1].id, last.id]);
});

it('delivers only what an endpoint subscribes to, and to every endpoint that does', async () => {
  const other = await startReceiver();
  const narrow = { allEventTypes: false, allowedEvents: ['giftcard.voided'] };
  const wide = await enabledWebhook(service, merchantId, receiver.url);
  const few = await enabledWebhook(service, merchantId, other.url, narrow);
  await enabledWebhook(service, newId(), other.url);
  await service.emit(eventOf(merchantId), eventOf(merchantId, { type: 'giftcard.voided' }));
  await until('both', async () => (await allSettled(wide.id)) && (await allSettled(few.id)));
  expect(receiver.received.map((request) => request.body.type)).toEqual(['giftcard.redeemed', 'giftcard.voided']);
  expect(other.received.map((request) => request.body.type)).toEqual(['giftcard.voided']);
  await other.stop();
});

it('passes over messages that are no events', async () => {
  const { id } = await enabledWebhook(service, merchantId, receiver.url);
  const broken = [null, 7, {}, { ...eventOf(merchantId), id: 'x' }, { ...eventOf(merchantId), data: null }];
  await service.emit(...(broken as DomainEvent[]), eventOf(merchantId));
  await until('the good one', () => allSettled(id));
  expect(receiver.received).toHaveLength(1);
});

it('starts the deliveries of an endpoint in the order of its events', async () => {
  await enabledWebhook(service, merchantId, receiver.url);
  const events = Array.from({ length: 40 }, () => eventOf(merchantId));
  await service.emit(...events);
  await until('all', () => receiver.received.length === events.length);
  const places = receiver.received.map((request) => events.findIndex((event) => event.id === request.body.id));
  // At most eight are under way together, so none can be further off than that.
  for (const [index, place] of places.entries()) expect(Math.abs(place - index)).toBeLessThan(16);
  expect(places.slice(0, 1)).toEqual([0]);
});

it('lets one silent endpoint delay no other', async () => {
  const dead = await startReceiver();
  dead.answer = silent;
  const deadMerchant = newId();
  await enabledWebhook(service, deadMerchant, dead.url);
  await service.emit(...Array.from({ length: 200 }, () => eventOf(deadMerchant)));
  await until('the silent one to be tried', () => dead.received.length > 0);
  await enabledWebhook(service, merchantId, receiver.url);
  const startedAt = Date.now();
  await service.emit(...Array.from({ length: 100 }, () => eventOf(merchantId)));
  await until('the others', () => receiver.received.length === 100);
  // Behind the silent one's time-outs they would take ten times as long.
  expect(Date.now() - startedAt).toBeLessThan(3_000);
  await dead.stop();
});

it('drops what comes due while the endpoint is disabled', async () => {
  receiver.answer = status(500);
  const { id } = await enabledWebhook(service, merchantId, receiver.url);
  await service.emit(eventOf(merchantId));
  await until('a try', () => receiver.received.length > 0);
  await service.client.disableWebhook({ id }, callerOf(merchantId));
  await until('the drop', () => allSettled(id));
  expect(await stateOf(id)).toMatchObject([{ status: 'failed', lastError: 'endpoint disabled' }]);
  expect(receiver.received.length).toBeLessThan(4);
});

it('adds no delivery for a disabled endpoint', async () => {
  const { id } = await enabledWebhook(service, merchantId, receiver.url);
  await service.client.disableWebhook({ id }, callerOf(merchantId));
  await until('the change to be noticed', async () => {
    const before = (await service.deliveries(id)).length;
    await service.emit(eventOf(merchantId));
    return (await service.deliveries(id)).length === before;
  });
});

it('logs no secret, no payload and no URL', async () => {
  receiver.answer = status(410);
  const url = `${receiver.url}?key=query-secret`;
  const sharedSecret = 'a secret of the merchant';
  const { id } = await enabledWebhook(service, merchantId, url, { sharedSecret });
  await service.emit(eventOf(merchantId, { data: { note: 'payload-secret' } }));
  await until('the 410', async () => !(await webhookOf(id)).enabled);
  const lines = await until('the line', () => service.logLines.filter((line) => line.includes(id)));
  expect(lines.join()).toContain('webhook disabled');
  expect(service.logLines.join()).not.toMatch(/query-secret|payload-secret|a secret of the merchant/);
});

it('counts what it does', async () => {
  const healthPort = await freePort();
  await using counting = await startWebhooks({ env: { HEALTH_PORT: String(healthPort) } });
  const { id } = await enabledWebhook(counting, merchantId, receiver.url);
  const event = eventOf(merchantId);
  await counting.emit(event, event);
  await until('the delivery', async () => (await counting.deliveries(id))[0]?.status === 'delivered');
  const metrics = async () => (await fetch(`http://127.0.0.1:${healthPort}/metrics`)).text();
  await until('the counts', async () =>
    (await metrics()).includes('webhook_delivery_lag_seconds_count{service="webhooks"} 1'),
  );
  expect(await metrics()).toMatch(/webhook_deliveries_total\{outcome="delivered",service="webhooks"\} 1/);
  expect(await metrics()).toMatch(/webhook_deliveries_total\{outcome="duplicate",service="webhooks"\} 1/);
});
