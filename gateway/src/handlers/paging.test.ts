import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { ids, startTestGateway, type TestGateway } from '../testing.ts';
import { fakeCard } from '../testing-answers.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
beforeEach(() => {
  gateway.reset();
  gateway.answer({ listCards: async () => ({ cards: [fakeCard], total: 600 }) });
});
afterAll(() => gateway.stop());

const cards = `/v2/giftcards/programs/${ids.program}/cards`;
const list = (query: string) => gateway.send('GET', `${cards}${query}`, { token: 'user' });

test.each([
  ['', { offset: 0, limit: 250 }, 'page=2&limit=250'],
  ['?page=2&limit=100', { offset: 100, limit: 100 }, 'page=3&limit=100'],
  ['?page=3&limit=250', { offset: 500, limit: 250 }, undefined],
  ['?offset=10&limit=5', { offset: 10, limit: 5 }, 'offset=15&limit=5'],
  ['?skip=10&limit=5', { offset: 10, limit: 5 }, 'limit=5&offset=15'],
  ['?page=9&offset=0&limit=5', { offset: 0, limit: 5 }, 'offset=5&limit=5'],
  ['?offset=20&skip=10&limit=5', { offset: 20, limit: 5 }, 'offset=25&limit=5'],
  ['?offset=595&limit=5', { offset: 595, limit: 5 }, undefined],
  ['?status=active&q=ada%20l&page=1&limit=5', { offset: 0, limit: 5 }, 'status=active&q=ada+l&page=2&limit=5'],
])('%s asks for %j, and the next page is %s', async (query, page, next) => {
  const reply = await list(query);
  expect(reply.status).toBe(200);
  expect(gateway.calls.at(-1)?.request).toMatchObject({ page });
  expect(reply.headers['x-total-count']).toBe('600');
  expect(reply.headers.link).toBe(next && `<https://api.example.com${cards}?${next}>; rel="next"`);
});

test('a target in absolute form (RFC 9112, 3.2.2) is linked by its path and query', async () => {
  for (const origin of ['http://evil.example', 'HTTPS://user@evil.example:8443']) {
    const reply = await gateway.send('GET', `${origin}${cards}?limit=5`, { token: 'user' });
    expect(reply.headers.link).toBe(`<https://api.example.com${cards}?limit=5&page=2>; rel="next"`);
  }
});

test.each([
  ['page=0', 'page', 'greater_than_equal', { ge: 1 }],
  ['limit=0', 'limit', 'greater_than_equal', { ge: 1 }],
  ['limit=251', 'limit', 'less_than_equal', { le: 250 }],
  ['offset=-1', 'offset', 'greater_than_equal', { ge: 0 }],
  ['skip=x', 'skip', 'int_parsing', undefined],
  ['page=', 'page', 'int_parsing', undefined],
  ['page=99999999999', 'page', 'less_than_equal', { le: 1_000_000 }],
  ['positive_balance=perhaps', 'positive_balance', 'bool_parsing', undefined],
  ['cardId=x', 'cardId', 'string_pattern_mismatch', { pattern: '^[0-9a-f]{24}$' }],
  [
    'status=lost',
    'status',
    'literal_error',
    { expected: "'pending', 'active', 'suspended', 'expired', 'voided' or 'depleted'" },
  ],
])('?%s is refused', async (query, name, type, ctx) => {
  const reply = await list(`?${query}`);
  expect(reply.status).toBe(422);
  expect(reply.body.detail).toMatchObject([{ loc: ['query', name], type, ...(ctx && { ctx }) }]);
});

test.each([
  ['/v2/keys', 'listKeys', 'keys'],
  ['/v2/appkeys', 'listAppKeys', 'appKeys'],
])('%s is paged like the others, and a bare array either way', async (path, rpc, field) => {
  gateway.answer({ [rpc]: async () => ({ [field]: [], total: 80n }) });
  const all = await gateway.send('GET', path, { token: 'user' });
  expect([all.status, all.body, all.headers.link, all.headers['x-total-count']]).toEqual([200, [], undefined, '80']);
  expect(gateway.calls.at(-1)?.request).toMatchObject({ page: { offset: 0, limit: 250 } });
  const some = await gateway.send('GET', `${path}?skip=10&limit=5`, { token: 'user' });
  expect(gateway.calls.at(-1)?.request).toMatchObject({ page: { offset: 10, limit: 5 } });
  expect(some.headers.link).toBe(`<https://api.example.com${path}?limit=5&offset=15>; rel="next"`);
  expect((await gateway.send('GET', `${path}?limit=251`, { token: 'user' })).status).toBe(422);
});

test('filters reach the service', async () => {
  await list(`?status=depleted&positive_balance=true&cardId=${ids.card}&q=0017&merchant_id=${ids.merchant}`);
  expect(gateway.calls.at(-1)?.request).toMatchObject({
    programId: ids.program,
    status: 'depleted',
    positiveBalance: true,
    cardId: ids.card,
    query: '0017',
  });
});

test("another merchant's cards are not to be asked for", async () => {
  const reply = await list(`?merchant_id=${ids.rival}`);
  expect([reply.status, reply.body.code]).toEqual([404, 'merchant_not_found']);
});
