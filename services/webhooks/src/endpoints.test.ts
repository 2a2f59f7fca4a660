import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '#platform/ids.ts';
import { testCaller } from '#platform/testing.ts';
import type { WebhookSettings } from '#proto/webhooks/v1/webhooks.ts';
import {
  callerOf,
  enabledWebhook,
  eventOf,
  settingsOf,
  startWebhooks,
  until,
  type WebhooksUnderTest,
} from './testing.ts';
import { type Receiver, startReceiver, status } from './testing-receiver.ts';

let service: WebhooksUnderTest;
let receiver: Receiver;

beforeAll(async () => {
  service = await startWebhooks();
});
afterAll(() => service.stop());
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.stop());

const url = 'https://example.com/hook';
const create = (merchantId: string, given: Partial<WebhookSettings> = {}) =>
  service.client.createWebhook({ settings: { ...settingsOf(url), ...given } }, callerOf(merchantId));

describe('refusals', () => {
  const stranger = callerOf(newId());
  const notFound = { kind: 'not_found', code: 'not_found', message: 'No such webhook.', details: {} };

  it.each([
    ['get', (id: string) => service.client.getWebhook({ id }, stranger)],
    ['update', (id: string) => service.client.updateWebhook({ id, settings: settingsOf(url) }, stranger)],
    ['enable', (id: string) => service.client.enableWebhook({ id }, stranger)],
    ['disable', (id: string) => service.client.disableWebhook({ id }, stranger)],
    ['delete', (id: string) => service.client.deleteWebhook({ id }, stranger)],
  ])('%s: another merchant’s webhook, a missing one and a malformed id are the same not_found', async (_rpc, call) => {
    const theirs = await create(newId());
    for (const id of [theirs.id, newId(), 'no-id']) await expect(call(id)).rejects.toMatchObject(notFound);
    await expect(service.client.getWebhook({ id: theirs.id }, callerOf(newId()))).rejects.toMatchObject(notFound);
  });

  it('lists nothing of other merchants', async () => {
    await create(newId());
    expect(await service.client.listWebhooks({ page: undefined }, stranger)).toEqual({ webhooks: [], total: 0 });
  });

  it.each([
    ['url', { url: 'http://169.254.169.254/latest' }],
    ['url', { url: 'https://u:p@example.com/' }],
    ['url', { url: 'gopher://example.com/' }],
    ['sharedSecret', { sharedSecret: 'short' }],
    ['sharedSecret', { sharedSecret: 'whsec_not base64' }],
  ])('validation_error at %s, on creation and on update, without an echo', async (field, given) => {
    const detail = [{ loc: ['body', field], type: 'value_error', msg: expect.any(String) }];
    const refusal = { kind: 'unprocessable', code: 'validation_error', details: { detail } };
    const merchantId = newId();
    await expect(create(merchantId, given)).rejects.toMatchObject(refusal);
    const { id } = await create(merchantId);
    const update = { id, settings: { ...settingsOf(url), ...given } };
    await expect(service.client.updateWebhook(update, callerOf(merchantId))).rejects.toMatchObject(refusal);
  });

  it('validation_error when there are no settings', async () => {
    const call = service.client.createWebhook({ settings: undefined }, callerOf(newId()));
    await expect(call).rejects.toMatchObject({ code: 'validation_error' });
  });

  it('unauthorized for a caller without merchant', async () => {
    const anonymous = testCaller();
    const call = service.client.listWebhooks({ page: undefined }, anonymous);
    await expect(call).rejects.toMatchObject({ kind: 'unauthenticated', code: 'unauthorized' });
  });

  it('webhook_limit_reached beyond 100, also when created at the same time', async () => {
    const merchantId = newId();
    const results = await Promise.allSettled(Array.from({ length: 110 }, () => create(merchantId)));
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused).toHaveLength(10);
    for (const { reason } of refused) {
      expect(reason).toMatchObject({ kind: 'conflict', code: 'webhook_limit_reached', details: { limit: 100 } });
    }
    const { webhooks, total } = await service.client.listWebhooks({ page: undefined }, callerOf(merchantId));
    expect([webhooks.length, total]).toEqual([100, 100]);
    await service.client.deleteWebhook({ id: webhooks[0]!.id }, callerOf(merchantId));
    await expect(create(merchantId)).resolves.toBeDefined();
  });
});

describe('an endpoint', () => {
  it('is created off, with a secret of its own, stored sealed', async () => {
    const merchantId = newId();
    const webhook = await create(merchantId, { allEventTypes: false, allowedEvents: ['giftcard.redeemed'] });
    expect(webhook).toMatchObject({
      enabled: false,
      disabledReason: 'not_verified',
      allEventTypes: false,
      allowedEvents: ['giftcard.redeemed'],
      sharedSecret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      createdAt: expect.any(Date),
    });
    expect(await service.client.getWebhook({ id: webhook.id }, callerOf(merchantId))).toEqual(webhook);
    const stored = JSON.stringify(await service.database.connection.collection('webhooks').find({}).toArray());
    expect(stored).not.toContain(webhook.sharedSecret);
    expect(stored).not.toContain(webhook.sharedSecret.slice('whsec_'.length));
  });

  it('replaces settings on update and keeps an absent secret', async () => {
    const merchantId = newId();
    const caller = callerOf(merchantId);
    const before = await enabledWebhook(service, merchantId, receiver.url);
    const settings = settingsOf(receiver.url, { allPassTemplates: false, allowedTemplates: [newId()] });
    const kept = await service.client.updateWebhook({ id: before.id, settings }, caller);
    expect(kept).toMatchObject({ ...settings, enabled: true, sharedSecret: before.sharedSecret });
    const renewed = await service.client.updateWebhook(
      { id: before.id, settings: { ...settings, sharedSecret: 'my own secret' } },
      caller,
    );
    expect(renewed).toMatchObject({ enabled: true, sharedSecret: 'my own secret' });
    const moved = await service.client.updateWebhook({ id: before.id, settings: settingsOf(url) }, caller);
    expect(moved).toMatchObject({ enabled: false, disabledReason: 'url_changed', sharedSecret: 'my own secret' });
    expect(moved.createdAt).toEqual(before.createdAt);
  });

  it('is disabled by its merchant, twice as well as once', async () => {
    const merchantId = newId();
    const { id } = await enabledWebhook(service, merchantId, receiver.url);
    const off = await service.client.disableWebhook({ id }, callerOf(merchantId));
    expect(off).toMatchObject({ enabled: false, disabledReason: 'disabled_by_merchant' });
    expect(await service.client.disableWebhook({ id }, callerOf(merchantId))).toEqual(off);
  });

  it('goes with its deliveries', async () => {
    const merchantId = newId();
    receiver.answer = status(500);
    await using slow = await startWebhooks({ env: { WEBHOOK_RETRY_SCHEDULE_MS: '60000' } });
    const { id } = await enabledWebhook(slow, merchantId, receiver.url);
    await slow.emit(eventOf(merchantId));
    await until('a failed try', async () => (await slow.deliveries(id))[0]?.attempts === 1);
    await slow.client.deleteWebhook({ id }, callerOf(merchantId));
    expect(await slow.deliveries(id)).toEqual([]);
    const again = slow.client.deleteWebhook({ id }, callerOf(merchantId));
    await expect(again).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is listed newest first, in pages, by a part of its URL', async () => {
    const merchantId = newId();
    const urls = ['https://a.example.com/', 'https://b.example.com/', 'https://c.example.org/(x)'];
    for (const item of urls) await create(merchantId, { url: item });
    const list = async (page?: { offset: number; limit: number }, query?: string) => {
      const { webhooks, total } = await service.client.listWebhooks({ page, query }, callerOf(merchantId));
      return { urls: webhooks.map((webhook) => webhook.url), total };
    };
    expect(await list()).toEqual({ urls: urls.toReversed(), total: 3 });
    expect(await list({ offset: 1, limit: 1 })).toEqual({ urls: [urls[1]], total: 3 });
    expect(await list(undefined, 'EXAMPLE.com')).toEqual({ urls: [urls[1], urls[0]], total: 2 });
    expect(await list(undefined, '(x)')).toEqual({ urls: [urls[2]], total: 1 });
  });
});
