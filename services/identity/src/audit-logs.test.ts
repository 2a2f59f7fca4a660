import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Caller } from '#platform/grpc/caller.ts';
import { newId } from '#platform/ids.ts';
import type { EventActor } from '#platform/kafka/event-origin.ts';
import { createEventPublisher, createKafka, type DomainEvent, encodeEvent } from '#platform/kafka/kafka.ts';
import { delay } from '#platform/retry.ts';
import { createTestLogger, testCaller, testComponent } from '#platform/testing.ts';
import type { ListAuditLogsRequest } from '#proto/identity/v1/identity.ts';
import { anonymous, type IdentityUnderTest, provisionTestMerchant, startIdentity } from './testing.ts';

let identity: IdentityUnderTest;
let caller: Caller;
let merchantId: string;

beforeAll(async () => {
  identity = await startIdentity();
});
beforeEach(async () => {
  const merchant = await provisionTestMerchant(identity);
  ({ caller } = merchant);
  merchantId = merchant.user.id;
});
afterAll(() => identity.stop());

/** Without what making the merchant leaves. */
const aboutCards: ListAuditLogsRequest = {
  actions: [],
  resourceTypes: ['gift_card'],
  page: undefined,
  from: undefined,
  to: undefined,
};
const list = (filter: Partial<ListAuditLogsRequest> = {}, as = caller) =>
  identity.client.listAuditLogs({ ...aboutCards, ...filter }, as);

function transfer(changes: Partial<DomainEvent> = {}): DomainEvent {
  const card = { programId: 'p', cardId: newId(), lastFourDigits: '4242', status: 'active', balance: '1.00' };
  const data = {
    ...{ transferId: newId(), programId: 'p', amount: '2.50', currency: 'GBP' },
    source: { ...card, transactionId: newId() },
    destination: { ...card, cardId: newId() },
  };
  const actor = {
    kind: 'user',
    userId: merchantId,
    credentialId: newId(),
    requestId: 'r-1',
    ip: '203.0.113.7',
  } as const;
  const timestamp = new Date().toISOString();
  return { id: newId(), type: 'giftcard.transferred', merchantId, timestamp, data, actor, ...changes };
}

test('an event about a card becomes an entry: who, what, from where', async () => {
  const event = transfer({ actor: { ...(transfer().actor as EventActor), userAgent: 'till/1' } });
  await identity.feed([event]);
  const { items, total } = await list();
  expect(total).toBe(1n);
  const { source, destination, transferId } = event.data as Record<string, { cardId: string }>;
  const { cardId } = source!;
  expect(items[0]).toMatchObject({ action: 'gift_card_transferred', resourceType: 'gift_card', resourceId: cardId });
  expect(items[0]).toMatchObject({
    actorType: 'user',
    actorId: merchantId,
    actorName: 'Owner',
    merchantName: 'Shop Ltd',
  });
  expect(items[0]).toMatchObject({ ipAddress: '203.0.113.7', userAgent: 'till/1', requestId: 'r-1', merchantId });
  expect(items[0]).toMatchObject({ id: event.id, resourceName: '**** 4242', timestamp: new Date(event.timestamp) });
  const destinationCardId = destination!.cardId;
  expect(JSON.parse(items[0]?.detailsJson ?? '')).toMatchObject({ amount: '2.50', transferId, destinationCardId });
});

test('an event that comes again adds nothing, also beside new ones', async () => {
  const events = [transfer(), transfer(), transfer()];
  await identity.feed(events.slice(0, 2));
  await identity.feed(events);
  await identity.feed(events);
  expect((await list()).total).toBe(3n);
});

test('what the system did is told of it, an event without actor of nobody, and what is not about a card not at all', async () => {
  const expired = transfer({ type: 'giftcard.expired', timestamp: 'whenever', actor: { kind: 'system' } });
  const { actor: _, ...early } = transfer({ timestamp: '2026-01-01T00:00:00Z' });
  await identity.feed([expired, early, transfer({ type: 'pass.created' }), { ...transfer(), id: 'x' }]);
  const { items } = await list();
  expect(items).toMatchObject([
    { action: 'gift_card_expired', actorType: 'system' },
    { action: 'gift_card_transferred', actorType: 'unknown' },
  ]);
  expect(items.map(({ actorId, ipAddress }) => [actorId, ipAddress])).toEqual([
    [undefined, undefined],
    [undefined, undefined],
  ]);
});

test("another merchant's entries are not there, and an anonymous caller has none", async () => {
  await identity.feed([transfer()]);
  const rival = await provisionTestMerchant(identity);
  expect(await list({}, rival.caller)).toMatchObject({ items: [], total: 0n });
  await expect(list({}, anonymous)).rejects.toMatchObject({ code: 'forbidden' });
});

test('each filter narrows, and together they narrow more', async () => {
  const key = testCaller({ kind: 'api_key', merchantId, credentialId: newId() });
  const { merchantId: _, ...actor } = key;
  const at = (day: number) => new Date(Date.UTC(2026, 10, day)).toISOString();
  const byUser = transfer({ timestamp: at(1) });
  const byKey = transfer({ timestamp: at(2), actor, type: 'giftcard.redeemed' });
  await identity.feed([byUser, byKey]);
  const found = async (filter: Partial<ListAuditLogsRequest>) => (await list(filter)).items.map(({ id }) => id);
  expect(await found({})).toEqual([byKey.id, byUser.id]);
  expect(await found({ actorId: key.credentialId })).toEqual([byKey.id]);
  expect(await found({ actorName: 'oWNe' })).toEqual([byUser.id]);
  expect(await found({ actorName: '@EXAMPLE.com' })).toEqual([byUser.id]);
  expect(await found({ actorName: '.*' })).toEqual([]);
  expect(await found({ subjectName: 'Owner' })).toEqual([]);
  expect(await found({ actorName: 'own\0' })).toEqual([]);
  expect(await found({ merchantName: 'hop l' })).toHaveLength(2);
  expect(await found({ merchantName: 'other' })).toEqual([]);
  expect(await found({ actions: ['gift_card_redeemed', 'login_failed'] })).toEqual([byKey.id]);
  expect(await found({ resourceTypes: ['app_key'] })).toEqual([]);
  expect(await found({ from: new Date(at(2)) })).toEqual([byKey.id]);
  expect(await found({ to: new Date(at(1)) })).toEqual([byUser.id]);
  expect(await found({ actorId: key.credentialId, actions: ['gift_card_transferred'] })).toEqual([]);
});

test('whom a change concerns is found by id, and by a part of name or e-mail', async () => {
  const { user, email, caller: own } = await provisionTestMerchant(identity);
  const found = async (filter: Partial<ListAuditLogsRequest>) =>
    (await list({ resourceTypes: ['user'], ...filter }, own)).items.map(({ resourceId }) => resourceId);
  for (const filter of [
    { subjectId: user.id },
    { subjectName: 'OWNER' },
    { subjectName: email.slice(3).toUpperCase() },
  ]) {
    expect(await found(filter)).toEqual([user.id]);
  }
  for (const filter of [{ subjectId: newId() }, { subjectName: 'nobody' }]) expect(await found(filter)).toEqual([]);
});

test('pages are exact, newest first', async () => {
  const events = Array.from({ length: 25 }, (_, i) => transfer({ timestamp: new Date(1e12 + i).toISOString() }));
  await identity.feed(events);
  const page = async (offset: number) => (await list({ page: { offset, limit: 10 } })).items.map(({ id }) => id);
  const pages = [await page(0), await page(10), await page(20), await page(30)];
  expect(pages.map((ids) => ids.length)).toEqual([10, 10, 5, 0]);
  expect(pages.flat()).toEqual(events.map(({ id }) => id).reverse());
});

test('entries come over Kafka, once, whoever reads them again', async () => {
  const prefix = `test-${newId()}.`;
  const brokers = testComponent('TEST_KAFKA_BROKERS').split(',');
  const publisher = createEventPublisher(createKafka({ brokers, prefix }, 'test', createTestLogger()), prefix);
  const events = [transfer(), transfer()].map((event) => ({ ...event, merchantId: caller.merchantId }));
  await publisher.publish(events.map(encodeEvent));
  await publisher.publish(events.map(encodeEvent));
  const reading = await startIdentity({ kafkaPrefix: prefix });
  const last = transfer();
  await publisher.publish([encodeEvent(last)]);
  const rows = reading.database.connection.collection('audit_logs');
  while ((await rows.countDocuments({ requestId: 'r-1' })) < 3) await delay(20);
  expect(await rows.countDocuments()).toBe(3);
  await publisher.stop();
  await reading.stop();
}, 60_000);
