import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { AppError, type ErrorKind, unprocessable } from '#platform/errors.ts';
import { ids, startTestGateway, type TestGateway } from '../testing.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
beforeEach(() => gateway.reset());
afterAll(() => gateway.stop());

const path = `/v2/giftcards/programs/${ids.program}/cards/${ids.card}/redeem`;
const redeem = () => gateway.send('POST', path, { token: 'user', body: { amount: '5.00' } });
const refuseWith = (error: Error) => gateway.answer({ redeemCard: () => Promise.reject(error) });

test.each<[ErrorKind, number, string]>([
  ['invalid', 400, 'Bad Request'],
  ['unauthenticated', 401, 'Unauthorized'],
  ['payment_required', 402, 'Payment Required'],
  ['forbidden', 403, 'Forbidden'],
  ['not_found', 404, 'Not Found'],
  ['conflict', 409, 'Conflict'],
  ['rate_limited', 429, 'Too Many Requests'],
  ['unavailable', 503, 'Service Unavailable'],
])('a refusal of kind %s is a %i problem', async (kind, status, title) => {
  refuseWith(new AppError(kind, 'some_code', 'A sentence.', { balance: '1.00' }));
  const reply = await redeem();
  expect(reply.status).toBe(status);
  expect(reply.headers['content-type']).toBe('application/problem+json');
  expect(reply.body).toEqual({
    type: 'about:blank',
    title,
    status,
    detail: 'A sentence.',
    code: 'some_code',
    requestId: reply.headers['x-request-id'],
    balance: '1.00',
  });
});

test('a service that finds a field at fault answers in the Validation error body', async () => {
  const item = {
    type: 'value_error',
    loc: ['body', 'expiresAt'],
    msg: 'Value error, too late',
    ctx: { error: 'too late' },
  };
  refuseWith(unprocessable([item]));
  const reply = await redeem();
  expect([reply.status, reply.headers['content-type'], reply.body]).toEqual([
    422,
    'application/json',
    { detail: [{ ...item, input: null }] },
  ]);
});

test.each([
  ['conflict', 'card_locked', {}, '1'],
  ['conflict', 'idempotency_in_progress', { retryAfterSeconds: 2 }, '2'],
  ['conflict', 'conflict', {}, undefined],
  ['unavailable', 'unavailable', {}, '1'],
  ['rate_limited', 'security_code_locked', { retryAfterSeconds: 871.2 }, '872'],
] as const)('%s %s with %j: Retry-After %s', async (kind, code, details, expected) => {
  refuseWith(new AppError(kind, code, 'Wait.', details));
  expect((await redeem()).headers['retry-after']).toBe(expected);
});

test("a record's own status does not hide the HTTP status", async () => {
  refuseWith(new AppError('invalid', 'card_not_active', 'No.', { cardId: ids.card, status: 'suspended', code: 'x' }));
  expect((await redeem()).body).toMatchObject({
    status: 400,
    code: 'card_not_active',
    currentStatus: 'suspended',
    cardId: ids.card,
  });
});

test('a 401 tells how to authenticate, whatever it is about', async () => {
  refuseWith(new AppError('unauthenticated', 'incorrect_security_code', 'No.'));
  expect((await redeem()).headers['www-authenticate']).toBe('Bearer');
});

test('a bug in a service is a 500 that says nothing, logged under the request id', async () => {
  refuseWith(new Error('secret detail'));
  const reply = await redeem();
  expect([reply.status, reply.body.code]).toEqual([500, 'internal']);
  expect(reply.text).not.toContain('secret detail');
  const line =
    gateway.logs.find((entry) => entry.includes('redeemGiftCard') && entry.includes('unexpected failure')) ?? '';
  expect(line).toContain(String(reply.headers['x-request-id']));
});

test('an answer of a service that lacks what it must have is a 500', async () => {
  gateway.answer({ getCard: async () => ({ card: undefined, transactions: [] }) });
  const reply = await gateway.send('GET', path.replace('/redeem', '?include_transactions=true'), { token: 'user' });
  expect([reply.status, reply.body.code]).toEqual([500, 'internal']);
});

test('a service that is not there is a 503', async () => {
  const alone = await startTestGateway({
    addresses: {
      identity: '127.0.0.1:1',
      loyalty: '127.0.0.1:1',
      templates: '127.0.0.1:1',
      giftcards: '127.0.0.1:1',
      webhooks: '127.0.0.1:1',
    },
  });
  const reply = await alone.send('GET', '/v2/token', { token: 'user' });
  await alone.stop();
  expect([reply.status, reply.body.code, reply.headers['retry-after']]).toEqual([503, 'unavailable', '1']);
});
