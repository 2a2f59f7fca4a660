import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '#platform/ids.ts';
import { callerOf, settingsOf, startWebhooks, type WebhooksUnderTest } from './testing.ts';
import {
  echoToken,
  isSigned,
  type Received,
  type Receiver,
  silent,
  startReceiver,
  status,
} from './testing-receiver.ts';

let service: WebhooksUnderTest;
let receiver: Receiver;

beforeAll(async () => {
  service = await startWebhooks({ env: { WEBHOOK_TIMEOUT_MS: '300' } });
});
afterAll(() => service.stop());
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.stop());

const create = (merchantId: string, url: string) =>
  service.client.createWebhook({ settings: settingsOf(url) }, callerOf(merchantId));

describe('verification', () => {
  const enableAt = async (given: string) => {
    const merchantId = newId();
    const { id } = await create(merchantId, given);
    return service.client.enableWebhook({ id }, callerOf(merchantId));
  };
  const failed = (details: object) => ({ kind: 'invalid', code: 'verification_failed', details });

  it.each([
    ['a 500', status(500), { reason: 'status', status: 500 }],
    ['a redirect', status(302, { location: 'http://127.0.0.1:1/' }), { reason: 'status', status: 302 }],
    ['silence', silent, { reason: 'timeout' }],
    ['another token', status(200), { reason: 'token_missing' }],
  ] as const)('fails on %s', async (_what, answer, details) => {
    receiver.answerVerify = answer;
    await expect(enableAt(receiver.url)).rejects.toMatchObject(failed(details));
  });

  it('fails when the answer’s body does not end in time', async () => {
    receiver.answerVerify = (_request, response) => response.writeHead(200).write('…');
    await expect(enableAt(receiver.url)).rejects.toMatchObject(failed({ reason: 'timeout' }));
  });

  it('fails when nobody listens', async () => {
    await receiver.stop();
    await expect(enableAt(receiver.url)).rejects.toMatchObject(failed({ reason: 'connection_failed' }));
  });

  it('reads 64 KiB of an answer and no more', async () => {
    receiver.answerVerify = (request, response) =>
      response.writeHead(200).end(`${'x'.repeat(64 * 1024)}${String(request.body.data.token)}`);
    await expect(enableAt(receiver.url)).rejects.toMatchObject(failed({ reason: 'token_missing' }));
  });

  it.each([
    ['text', (token: string) => token],
    ['{token}', (token: string) => JSON.stringify({ token })],
    ['{verificationToken}', (token: string) => JSON.stringify({ verificationToken: token, ok: true })],
  ])('takes the token as %s', async (_form, render) => {
    receiver.answerVerify = (request, response) => response.writeHead(202).end(render(String(request.body.data.token)));
    const webhook = await enableAt(receiver.url);
    expect(webhook).toMatchObject({ enabled: true });
    expect(webhook.disabledReason).toBeUndefined();
  });

  it('sends a signed webhook.verify', async () => {
    const seen: Received[] = [];
    receiver.answerVerify = (request, response, tries) => {
      seen.push(request);
      echoToken(request, response, tries);
    };
    const { sharedSecret, id } = await enableAt(receiver.url);
    const [request] = seen as [Received];
    expect(isSigned(request, sharedSecret)).toBe(true);
    expect(isSigned(request, `whsec_${randomBytes(32).toString('base64')}`)).toBe(false);
    expect(request.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Tallycard-Webhooks/1',
      'webhook-id': request.body.id,
    });
    expect(request.body).toMatchObject({ type: 'webhook.verify', timestamp: expect.stringMatching(/Z$/) });
    expect(id).toMatch(/^[0-9a-f]{24}$/);
  });

  it('is for what was verified: a change meanwhile is a conflict', async () => {
    const merchantId = newId();
    const caller = callerOf(merchantId);
    const { id } = await create(merchantId, receiver.url);
    receiver.answerVerify = (request, response, tries) => {
      const settings = settingsOf('https://other.example.com/');
      void service.client.updateWebhook({ id, settings }, caller).then(() => echoToken(request, response, tries));
    };
    const call = service.client.enableWebhook({ id }, caller);
    await expect(call).rejects.toMatchObject({ kind: 'conflict', code: 'conflict' });
    expect(await service.client.getWebhook({ id }, caller)).toMatchObject({ enabled: false });
  });
});
