import { describe, expect, it } from '@jest/globals';
import { createTestLogger } from '#platform/testing.ts';
import type { ClaimedDelivery } from './delivery.ts';
import type { PostResult, WebhookPost, WebhookStore } from './ports.ts';
import { sendDelivery } from './send-delivery.ts';
import { disabled, enabled, newWebhook, type Webhook } from './webhook.ts';

const now = new Date();
const settings = {
  ...{ url: 'https://example.com/', allPassTemplates: true, allowedTemplates: [] },
  ...{ allEventTypes: true, allowedEvents: [] },
};
const webhook = enabled(newWebhook('a'.repeat(24), settings, 'secret-secret', now), now);
const delivery: ClaimedDelivery = {
  ...{ id: '1'.repeat(24), merchantId: webhook.merchantId, endpointId: webhook.id, eventId: '2'.repeat(24) },
  ...{ type: 'giftcard.redeemed', payload: '{}', occurredAt: now, attempts: 0, claim: 'c' },
};
const soon = () => performance.now() + 1_000;

/** Sends with an endpoint that answers `answer`, and tells what was posted and stored. */
function sending(answer: PostResult, schedule: readonly number[] = [1_000]) {
  const posts: WebhookPost[] = [];
  const stored: Webhook[] = [];
  const store: Partial<WebhookStore> = {
    replace: async (_merchantId, changed) => {
      stored.push(changed);
      return true;
    },
  };
  const client = {
    post: async (post: WebhookPost) => {
      posts.push(post);
      return answer;
    },
  };
  const send = sendDelivery({ webhooks: store as WebhookStore, client, logger: createTestLogger() }, schedule);
  const run = (current: Webhook | undefined, startBefore = soon()) =>
    send({ delivery, startBefore, webhook: async () => current }, new AbortController().signal);
  return { run, posts, stored };
}
const ok = { status: 200, body: '' };

describe('a try', () => {
  it.each([
    ['disabled', disabled(webhook, 'disabled_by_merchant', now)],
    ['deleted', undefined],
  ])('is not made when the endpoint was %s in between', async (_what, current) => {
    const { run, posts } = sending(ok);
    expect(await run(current)).toEqual({ kind: 'dropped' });
    expect(posts).toEqual([]);
  });

  it('is not begun so late that it could outlast its claim', async () => {
    const { run, posts } = sending(ok);
    expect(await run(webhook, performance.now() - 1)).toEqual({ kind: 'released' });
    expect(posts).toEqual([]);
  });

  it('does not count when it was cut short', async () => {
    const { run } = sending({ fault: 'aborted', message: '' });
    expect(await run(webhook)).toEqual({ kind: 'released' });
  });

  it('goes to where the endpoint is now', async () => {
    const { run, posts } = sending(ok);
    expect(await run({ ...webhook, url: 'https://moved.example.com/' })).toMatchObject({ kind: 'delivered' });
    expect(posts).toMatchObject([{ url: 'https://moved.example.com/', body: '{}' }]);
  });

  it.each([
    ['410', { status: 410, body: '' }, 'gone'],
    ['the last failure', { status: 500, body: '' }, 'delivery_failed'],
  ])('disables the endpoint after %s, over the revision it was sent with', async (_what, answer, disabledReason) => {
    const { run, stored } = sending(answer, []);
    expect(await run(webhook)).toMatchObject({ kind: 'failed' });
    expect(stored).toMatchObject([{ enabled: false, disabledReason, revision: webhook.revision + 1 }]);
  });
});
