import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Api, type ApiAnswer, until } from '../support/api.ts';
import { sharedApi, sharedDemo } from '../support/shared-stack.ts';
import { WebhookReceiver } from '../support/webhook-receiver.ts';

interface Side {
  readonly api: Api;
  readonly merchantId: string;
  readonly programId: string;
  readonly cards: string;
  readonly card: Record<string, unknown>;
  readonly receiver: WebhookReceiver;
}

const demo = sharedDemo();
const missing = '0123456789abcdef01234567';
const secret = 'the shared secret of both sides';
const receivers: WebhookReceiver[] = [];
let live: Side;
let sandbox: Side;

async function ok(answer: Promise<ApiAnswer>): Promise<Record<string, unknown>> {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return body;
}

/** A key of the demo merchant with a program, an active card and an endpoint of its own. */
async function sideOf(isSandbox: boolean): Promise<Side> {
  const granted = { fullAccess: true, scopes: ['giftcards:redeem'], sandbox: isSandbox };
  const key = await ok(sharedApi().post('/v2/keys', { name: 'sides', ...granted }));
  expect(key.key).toMatch(isSandbox ? /^tc_test_/ : /^tc_live_/);
  const api = sharedApi().as(String(key.key));
  const { id: merchantId } = await ok(api.get('/v2/token'));
  const program = await ok(api.post('/v2/loyalty/programs', { name: 'Same name', type: 'GIFT_CARD' }));
  const cards = `/v2/giftcards/programs/${program.id}/cards`;
  const receiver = await WebhookReceiver.start(secret);
  receivers.push(receiver);
  const hook = await ok(api.post('/v2/webhooks', { url: receiver.url, sharedSecret: secret }));
  await ok(api.post(`/v2/webhooks/${hook.id}/enable`));
  const card = await ok(api.post(cards, { initialValue: '20.00' }));
  await ok(api.post(`${cards}/${card.id}/activate`));
  return { api, merchantId: String(merchantId), programId: String(program.id), cards, card, receiver };
}

beforeAll(async () => {
  live = await sideOf(false);
  sandbox = await sideOf(true);
});
afterAll(() => Promise.all(receivers.map((receiver) => receiver.stop())));

/** An answer without what differs from request to request. */
function withoutRequest({ status, body }: ApiAnswer) {
  const { requestId: _, ...rest } = body;
  return { status, body: rest };
}

test('a test key is the same user at a merchant of its own', async () => {
  const [asLive, asTest] = [await ok(live.api.get('/v2/token')), await ok(sandbox.api.get('/v2/token'))];
  expect(asLive.id).toBe(demo.merchantId);
  expect(asTest.id).toMatch(/^[0-9a-f]{24}$/);
  expect(asTest.id).not.toBe(asLive.id);
  expect({ ...asTest, id: asLive.id }).toEqual(asLive);
  expect(sandbox.card.merchantId).toBe(asTest.id);
});

test('keys of both sides are listed and managed by the merchant', async () => {
  const keys = (await sharedApi().get('/v2/keys')).body as unknown as Record<string, unknown>[];
  expect(new Set(keys.map((key) => key.sandbox))).toEqual(new Set([true, false]));
  expect((await sandbox.api.get('/v2/keys')).body).toMatchObject({ status: 403, code: 'forbidden' });
});

test("each side takes its own merchant's id in a request, and not the other's", async () => {
  const ids = (side: Side, merchantId: string) => side.api.post(side.cards, { initialValue: 1, merchantId });
  for (const [own, other] of [
    [live, sandbox],
    [sandbox, live],
  ] as const) {
    expect((await ids(own, own.merchantId)).status).toBe(201);
    expect((await ids(own, other.merchantId)).body).toMatchObject({ status: 404, code: 'merchant_not_found' });
  }
});

describe.each([
  ['a test key', () => [sandbox, live] as const],
  ['a live key', () => [live, sandbox] as const],
])('%s', (_whose, sides) => {
  test('finds nothing of the other side, as if it were not there', async () => {
    const [own, other] = sides();
    const asks: [string, (id: string, program: string) => string, object?][] = [
      ['GET', (_id, program) => `/v2/loyalty/programs/${program}`],
      ['GET', (_id, program) => `/v2/giftcards/programs/${program}/cards`],
      ['GET', (id) => `${own.cards}/${id}`],
      ['GET', (id, program) => `/v2/giftcards/programs/${program}/cards/${id}`],
      ['GET', (id, program) => `/v2/giftcards/programs/${program}/cards/${id}/transactions`],
      ['POST', (id, program) => `/v2/giftcards/programs/${program}/cards/${id}/redeem`, { amount: 1 }],
      ['POST', (id, program) => `/v2/giftcards/programs/${program}/cards/${id}/reload`, { amount: 1 }],
      ['POST', (id, program) => `/v2/giftcards/programs/${program}/cards/${id}/void`, { reason: 'x' }],
    ];
    for (const [method, path, body] of asks) {
      const theirs = withoutRequest(await own.api.send(method, path(String(other.card.id), other.programId), body));
      const none = withoutRequest(await own.api.send(method, path(missing, missing), body));
      expect({ method, theirs }).toEqual({ method, theirs: none });
      expect(theirs.status).toBe(404);
    }
  });

  test('looks up no card of the other side', async () => {
    const [own, other] = sides();
    for (const cards of [own.cards, other.cards]) {
      expect((await own.api.get(`${cards}/lookup?cardNumber=${other.card.cardNumber}`)).status).toBe(404);
    }
    expect((await own.api.get(`${own.cards}/lookup?cardNumber=${own.card.cardNumber}`)).status).toBe(200);
  });

  test('moves no money to the other side', async () => {
    const [own, other] = sides();
    const move = (destinationCardNumber: unknown) => {
      const request = { securityCode: own.card.securityCode, destinationCardNumber, amount: 1 };
      return own.api.post(`${own.cards}/${own.card.id}/transfer`, request);
    };
    const theirs = withoutRequest(await move(other.card.cardNumber));
    expect(theirs).toEqual(withoutRequest(await move('4111111111111111')));
    expect(theirs).toMatchObject({ status: 404, body: { code: 'card_not_found' } });
    for (const { api, cards, card } of [own, other]) {
      expect(await ok(api.get(`${cards}/${card.id}`))).toMatchObject({ balance: '20.00', status: 'active' });
    }
  });

  test('lists its own programs only', async () => {
    const [own, other] = sides();
    const programs = (await own.api.get('/v2/loyalty/programs')).body as unknown as Record<string, unknown>[];
    const ids = programs.map(({ id }) => id);
    expect([ids.includes(own.programId), ids.includes(other.programId)]).toEqual([true, false]);
  });

  test("'s endpoint hears of its own events only", async () => {
    const [own] = sides();
    const cardsHeard = () => own.receiver.events.filter(({ data }) => JSON.stringify(data).includes(own.programId));
    await until('the card was heard of', () => cardsHeard().some(({ type }) => type === 'giftcard.activated'));
    expect(new Set(own.receiver.events.map(({ merchantId }) => merchantId))).toEqual(new Set([own.merchantId]));
    expect(own.receiver.forged).toEqual([]);
  });
});
