import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { ids, startTestGateway, type TestGateway } from '../../testing.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
beforeEach(() => gateway.reset());
afterAll(() => gateway.stop());

const path = `/v2/giftcards/programs/${ids.program}/cards/lookup`;
const lookUp = (cardNumber: string) =>
  gateway.send('GET', `${path}?${new URLSearchParams({ cardNumber })}`, { token: 'user' });

test('`lookup` is not taken for a card id', async () => {
  const missing = await gateway.send('GET', path, { token: 'user' });
  expect(missing.body.detail).toMatchObject([{ loc: ['query', 'cardNumber'], type: 'missing' }]);
  const posted = await gateway.send('POST', path, { token: 'user', body: {} });
  expect([posted.status, posted.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
});

test.each([
  '',
  '0017',
  '6034930000000017x',
  '6034 -930000000017',
  '60349300000000170000',
  '６０３４９３００００００００１７',
])('%j is refused and not told again', async (cardNumber) => {
  const { status, body } = await lookUp(cardNumber);
  expect(status).toBe(422);
  expect(body.detail).toMatchObject([
    { loc: ['query', 'cardNumber'], type: 'string_pattern_mismatch', input: '[secret]' },
  ]);
});

test.each(['6034930000000017', '6034 9300 0000 0017', '6034-9300-0000-0017'])('%s is looked up', async (cardNumber) => {
  const { status, body } = await lookUp(cardNumber);
  expect([status, body.id]).toEqual([200, ids.card]);
  expect(gateway.calls.at(-1)).toMatchObject({ rpc: 'lookUpCard', request: { programId: ids.program, cardNumber } });
});

test('the number is in no log, whatever goes wrong', async () => {
  gateway.answer({
    lookUpCard: async () => {
      throw new Error('out of luck');
    },
  });
  expect((await lookUp('6034930000000017')).status).toBe(500);
  expect(gateway.logs.join('')).toContain('lookUpGiftCard');
  expect(gateway.logs.join('')).not.toContain('6034930000000017');
});
