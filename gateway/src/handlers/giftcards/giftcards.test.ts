import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { notFound } from '#platform/errors.ts';
import { ids, type SendOptions, startTestGateway, type TestGateway } from '../../testing.ts';
import { fakeCard } from '../../testing-answers.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
let program = 0;
let programId = '';
beforeEach(() => {
  gateway.reset();
  // Programs are cached; a test that looks at look-ups needs one of its own.
  program += 1;
  programId = program.toString(16).padStart(24, 'b');
});
afterAll(() => gateway.stop());

const cardPath = (action: string) => `/v2/giftcards/programs/${programId}/cards/${ids.card}/${action}`;
const post = (path: string, body: unknown, options: SendOptions = {}) =>
  gateway.send('POST', path, { token: 'user', body, ...options });
const sent = (rpc: string) => gateway.calls.find((call) => call.rpc === rpc)?.request;
const countOf = (rpc: string) => gateway.calls.filter((call) => call.rpc === rpc).length;

describe('the program in the path', () => {
  test('is looked up once for many requests, and for each merchant by itself', async () => {
    await Promise.all(Array.from({ length: 10 }, () => post(cardPath('redeem'), { amount: 1 })));
    expect(countOf('resolveProgram')).toBe(1);
    expect(countOf('redeemCard')).toBe(10);
    await gateway.send('POST', `/v2/giftcards/programs/${programId}/balance-check`, {
      body: { cardNumber: '6034930000000017', securityCode: '123456' },
    });
    expect(countOf('resolveProgram')).toBe(2);
  });

  test('is a 404 when it is missing or not the caller’s, on every route; and may come to be', async () => {
    gateway.answer({ resolveProgram: () => Promise.reject(notFound('program')) });
    for (const action of ['redeem', 'transfer', 'activate', 'reload', 'void', 'suspend', 'unsuspend']) {
      const body = {
        redeem: { amount: 1 },
        reload: { amount: 1 },
        transfer: { amount: 1, securityCode: '123456', destinationCardNumber: '6034930000000025' },
        void: { reason: 'x' },
        suspend: { reason: 'x' },
      }[action];
      const reply = await post(cardPath(action), body ?? {});
      expect([reply.status, reply.body.code]).toEqual([404, 'not_found']);
    }
    gateway.reset();
    expect((await post(cardPath('redeem'), { amount: 1 })).status).toBe(200);
  });
});

describe('money', () => {
  test.each([
    [25, 2500n],
    ['25.00', 2500n],
    [0.1, 10n],
    ['0.29', 29n],
  ])('%j is sent on in minor units', async (amount, amountMinor) => {
    await post(cardPath('redeem'), { amount, cashierId: 'till-7' }, { headers: { 'idempotency-key': 'k 1' } });
    expect(sent('redeemCard')).toMatchObject({
      target: { programId, cardId: ids.card, idempotencyKey: 'k 1' },
      amountMinor,
      cashierId: 'till-7',
    });
  });

  const transfer = (amount: unknown) =>
    post(cardPath('transfer'), { amount, securityCode: '123456', destinationCardNumber: '6034930000000025' });

  test('a transfer of 0 or less is for the ledger to refuse, of more than 5,000 is a 422', async () => {
    await transfer(0);
    await transfer('-3.50');
    expect(
      gateway.calls.filter(({ rpc }) => rpc === 'transferBalance').map(({ request }) => request.amountMinor),
    ).toEqual([0n, -350n]);
    expect((await transfer('5000.01')).body.detail).toMatchObject([{ type: 'less_than_equal', ctx: { le: 5000 } }]);
    expect((await transfer(5000)).status).toBe(200);
  });

  test.each([
    ['reload', 0, 'greater_than_equal', { ge: 0.01 }],
    ['reload', 5000.01, 'less_than_equal', { le: 5000 }],
    ['redeem', 0, 'greater_than_equal', { ge: 0.01 }],
    ['redeem', '1.005', 'decimal_max_places', { decimal_places: 2 }],
    [`transactions/${ids.transaction}/refund`, 0, 'greater_than', { gt: 0 }],
  ])('%s of %j is refused as %s', async (action, amount, type, ctx) => {
    const reply = await post(cardPath(action), { amount });
    expect(reply.body.detail).toMatchObject([{ loc: ['body', 'amount'], type, ctx }]);
  });

  test('a refund without an amount leaves it to the ledger', async () => {
    await post(cardPath(`transactions/${ids.transaction}/refund`), { reason: 'returned' });
    expect(sent('refundTransaction')).toMatchObject({ transactionId: ids.transaction, reason: 'returned' });
    expect(sent('refundTransaction')?.amountMinor).toBeUndefined();
  });
});

describe('answers', () => {
  test('a transfer answers what the spec shows', async () => {
    const body = { amount: 2.34, securityCode: '123456', destinationCardNumber: '6034930000000025' };
    expect((await post(cardPath('transfer'), body)).body).toEqual({
      success: true,
      message: expect.any(String),
      transferId: 'd00000000000000000000009',
      sourceCard: { id: ids.card, cardNumber: '6034930000000017', remainingBalance: '10.00', status: 'active' },
      destinationCard: { id: ids.otherCard, cardNumber: '6034930000000025', newBalance: '2.34' },
      amountTransferred: '2.34',
    });
  });

  test('an issued card shows its code once; a replay says so and does not', async () => {
    const issue = () => post(`/v2/giftcards/programs/${programId}/cards`, { initialValue: '50' });
    const first = await issue();
    expect([first.status, first.body.securityCode, first.headers['idempotency-replayed']]).toEqual([
      201,
      '123456',
      undefined,
    ]);
    gateway.answer({ issueCard: async () => ({ card: fakeCard, securityCode: '123456', replayed: true }) });
    const replay = await issue();
    expect([replay.status, replay.headers['idempotency-replayed']]).toEqual([201, 'true']);
    expect('securityCode' in replay.body).toBe(false);
  });

  test('issuing passes the program on, and takes no other merchant', async () => {
    const path = `/v2/giftcards/programs/${programId}/cards`;
    await post(path, { initialValue: 50, merchantId: ids.merchant, expiresAt: '2027-01-01T00:00:00+01:00' });
    expect(sent('issueCard')).toMatchObject({
      program: { id: programId, merchantId: ids.merchant, currency: 'GBP', cardExpiryDays: 365 },
      initialValueMinor: 5000n,
      expiresAt: new Date('2026-12-31T23:00:00Z'),
    });
    const reply = await post(path, { initialValue: 50, merchantId: ids.rival });
    expect([reply.status, reply.body.code]).toEqual([404, 'merchant_not_found']);
    expect(countOf('issueCard')).toBe(1);
  });

  test('transactions come when asked for', async () => {
    const path = `/v2/giftcards/programs/${programId}/cards/${ids.card}`;
    expect('transactions' in (await gateway.send('GET', path, { token: 'user' })).body).toBe(false);
    const reply = await gateway.send('GET', `${path}?include_transactions=true`, { token: 'user' });
    expect(reply.body.transactions).toMatchObject([{ amount: '-2.50', balanceBefore: '14.84', cashierId: 'till-7' }]);
  });

  test('a balance check masks the number, and narrows to a card when told to', async () => {
    const body = { cardNumber: '6034930000000017', securityCode: '123456' };
    const reply = await post(`/v2/giftcards/customer/balance-check?programId=${programId}`, body);
    expect(reply.body).toMatchObject({ cardNumber: '************0017', lastFourDigits: '0017', balance: '12.34' });
    expect(sent('checkBalance')).toMatchObject({ programId });
    const other = await post(`/v2/giftcards/customer/balance-check?cardId=${ids.otherCard}`, body);
    expect([other.status, other.body.code]).toEqual([404, 'card_not_found']);
  });

  test('a void without an entry has no transaction id', async () => {
    gateway.answer({
      voidCard: async () => ({
        transactionId: '',
        cardId: ids.card,
        amountMinor: 0n,
        balanceMinor: 0n,
        currency: 'GBP',
        status: 'voided',
        replayed: true,
      }),
    });
    const reply = await post(cardPath('void'), { reason: 'lost' });
    expect(reply.body).toMatchObject({ success: true, action: 'void', newExpiresAt: null, transactionId: null });
    expect(reply.headers['idempotency-replayed']).toBe('true');
  });
});

test('a faulty request never echoes the card number or its code', async () => {
  const reply = await post(cardPath('transfer'), {
    securityCode: '99887',
    destinationCardNumber: '60349300000000170000000',
    cvv: '99887',
  });
  expect(reply.status).toBe(422);
  expect(reply.text).not.toMatch(/99887|6034930000/);
});
