import { beforeAll, describe, expect, test } from '@jest/globals';
import type { ApiAnswer } from '../support/api.ts';
import { sharedApi, sharedDemo } from '../support/shared-stack.ts';

const demo = sharedDemo();
const api = sharedApi();
const rival = api.as(demo.rival.accessToken);
const cardsPath = `/v2/giftcards/programs/${demo.programId}/cards`;
const missing = '0123456789abcdef01234567';
let card: Record<string, unknown>;

beforeAll(async () => {
  card = (await api.post(cardsPath, { initialValue: 10 })).body;
  await api.post(`${cardsPath}/${card.id}/activate`);
});

/** An answer without what differs from request to request. */
function withoutRequest({ status, body }: ApiAnswer) {
  const { requestId: _, ...rest } = body;
  return { status, body: rest };
}

describe("another merchant's record answers exactly like a missing one", () => {
  const own = `/v2/giftcards/programs/${demo.rival.programId}/cards`;
  const pairs: [string, string, (id: string) => string, object?][] = [
    ['GET', 'program', (id) => `/v2/loyalty/programs/${id === 'theirs' ? demo.programId : missing}`],
    ['GET', 'cards', (id) => `/v2/giftcards/programs/${id === 'theirs' ? demo.programId : missing}/cards`],
    ['GET', 'card', (id) => `${own}/${id === 'theirs' ? card.id : missing}`],
    ['POST', 'redeem', (id) => `${own}/${id === 'theirs' ? card.id : missing}/redeem`, { amount: 1 }],
    ['POST', 'void', (id) => `${own}/${id === 'theirs' ? card.id : missing}/void`, { reason: 'x' }],
    ['GET', 'transactions', (id) => `${own}/${id === 'theirs' ? card.id : missing}/transactions`],
  ];
  test.each(pairs)('%s %s', async (...[method, , path, body]) => {
    const theirs = withoutRequest(await rival.send(method, path('theirs'), body));
    const none = withoutRequest(await rival.send(method, path('none'), body));
    expect(theirs).toEqual(none);
    expect(theirs.status).toBe(404);
  });

  test("a transfer to another merchant's card finds no destination", async () => {
    const mine = (await rival.post(own, { initialValue: 10 })).body;
    await rival.post(`${own}/${mine.id}/activate`);
    const move = (destinationCardNumber: unknown) =>
      rival.post(`${own}/${mine.id}/transfer`, { securityCode: mine.securityCode, destinationCardNumber, amount: 1 });
    const theirs = withoutRequest(await move(card.cardNumber));
    expect(theirs).toEqual(withoutRequest(await move('4111111111111111')));
    expect(theirs).toMatchObject({ status: 404, body: { code: 'card_not_found' } });
  });
});

describe('keys', () => {
  test('a key without scopes may ask who it is, and nothing else', async () => {
    const none = api.as(demo.keys.noScopes);
    expect((await none.get('/v2/token')).body).toMatchObject({ id: demo.merchantId });
    expect((await none.get(cardsPath)).body).toMatchObject({ status: 403, code: 'forbidden', scope: 'giftcards:read' });
  });

  test('fullAccess grants all but giftcards:redeem', async () => {
    const full = api.as(demo.keys.fullAccess);
    expect((await full.get(cardsPath)).status).toBe(200);
    expect((await full.post(`${cardsPath}/${card.id}/reload`, { amount: 1 })).status).toBe(200);
    expect((await full.post(`${cardsPath}/${card.id}/redeem`, { amount: 1 })).body).toMatchObject({
      status: 403,
      scope: 'giftcards:redeem',
    });
    expect((await api.as(demo.keys.all).post(`${cardsPath}/${card.id}/redeem`, { amount: 1 })).status).toBe(200);
  });

  test('a deleted key is refused at once', async () => {
    const login = await api.as(undefined).post('/v2/token', {
      email: demo.rival.email,
      password: demo.rival.password,
    });
    const user = api.as(String(login.body.access_token));
    const key = (await user.post('/v2/keys', { name: 'short-lived', scopes: ['loyalty:read'] })).body;
    const holder = api.as(String(key.key));
    expect((await holder.get('/v2/loyalty/programs')).status).toBe(200);
    expect((await user.send('DELETE', `/v2/keys/${key.id}`)).status).toBe(200);
    const deadline = Date.now() + 1_000;
    let status = 200;
    while (status === 200 && Date.now() < deadline) status = (await holder.get('/v2/loyalty/programs')).status;
    expect(status).toBe(401);
  });

  test.each([
    ['nothing', undefined],
    ['a made-up key', 'tc_live_0000000000000000000000000000000000000000'],
    ['a forged token', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.'],
    ['an altered token', `${demo.accessToken.slice(0, -3)}AAA`],
  ])('%s is 401', async (_, token) => {
    const answer = await api.as(token).get('/v2/token');
    expect(answer.body).toMatchObject({ status: 401, code: 'unauthorized' });
    expect(answer.headers.get('www-authenticate')).toContain('Bearer');
  });
});
