import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { ids, startTestGateway, type TestGateway } from '../../testing.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
beforeEach(() => gateway.reset());
afterAll(() => gateway.stop());

const url = 'https://shop.example.com/hook';
const create = (body: unknown) => gateway.send('POST', '/v2/webhooks', { token: 'user', body });

test.each([
  [{ url }, { allPassTemplates: true, allowedTemplates: [], allEventTypes: true, allowedEvents: [] }],
  [
    { url, allowedTemplates: [ids.record], allowedEvents: ['giftcard.redeemed'] },
    {
      allPassTemplates: false,
      allowedTemplates: [ids.record],
      allEventTypes: false,
      allowedEvents: ['giftcard.redeemed'],
    },
  ],
  [
    { url, allowedTemplates: [ids.record], allPassTemplates: true, allowedEvents: null },
    { allPassTemplates: true, allowedTemplates: [ids.record], allEventTypes: true, allowedEvents: [] },
  ],
])('%j means %j', async (body, settings) => {
  expect((await create(body)).status).toBe(201);
  expect(gateway.calls.at(-1)?.request.settings).toMatchObject({ url, ...settings });
});

test('every bound of the payload holds', async () => {
  const reply = await create({
    url: 'ftp://shop.example.com',
    sharedSecret: 'short',
    allowedTemplates: ['x'],
    allowedEvents: ['', 'x'.repeat(101)],
    enabled: true,
  });
  expect(
    (reply.body.detail as { loc: string[]; type: string }[]).map(({ loc, type }) => `${loc.join('.')} ${type}`),
  ).toEqual([
    'body.url url_scheme',
    'body.sharedSecret string_too_short',
    'body.allowedTemplates.0 string_pattern_mismatch',
    'body.allowedEvents.0 string_too_short',
    'body.allowedEvents.1 string_too_long',
    'body.enabled extra_forbidden',
  ]);
  expect(reply.text).not.toContain('"short"');
});

test('the list shows four fields only', async () => {
  const reply = await gateway.send('GET', '/v2/webhooks?q=shop&skip=0&limit=10', { token: 'user' });
  expect(JSON.parse(reply.text)).toEqual([{ id: ids.record, url, sharedSecret: 'whsec_abcdefgh', enabled: false }]);
  expect(gateway.calls.at(-1)?.request).toMatchObject({ query: 'shop', page: { offset: 0, limit: 10 } });
});
