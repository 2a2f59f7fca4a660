import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ApiAnswer, until } from '../support/api.ts';
import { sharedApi, sharedDemo } from '../support/shared-stack.ts';
import { WebhookReceiver } from '../support/webhook-receiver.ts';

const secret = 'the shared secret of the main job';
const demo = sharedDemo();
const api = sharedApi();
let receiver: WebhookReceiver;

beforeAll(async () => {
  receiver = await WebhookReceiver.start(secret);
});
afterAll(() => receiver.stop());

async function ok(answer: Promise<ApiAnswer>, status = 200): Promise<Record<string, unknown>> {
  const { status: given, body } = await answer;
  expect({ status: given, body }).toMatchObject({ status });
  return body;
}

test('a merchant signs in, makes a program, and its cards live their lives while its endpoint hears of each step', async () => {
  const login = await ok(api.as(undefined).post('/v2/token', { email: demo.email, password: demo.password }));
  expect(login).toMatchObject({ token_type: 'Bearer', expires_in: 900 });
  const merchant = api.as(String(login.access_token));
  expect(await ok(merchant.get('/v2/token'))).toMatchObject({ id: demo.merchantId, email: demo.email, active: true });

  const hook = await ok(merchant.post('/v2/webhooks', { url: receiver.url, sharedSecret: secret }), 201);
  expect(hook.enabled).toBe(false);
  expect(await ok(merchant.post(`/v2/webhooks/${hook.id}/enable`))).toMatchObject({ enabled: true });

  const program = await ok(merchant.post('/v2/loyalty/programs', { name: 'Main job', type: 'GIFT_CARD' }), 201);
  const path = `/v2/giftcards/programs/${program.id}/cards`;
  const source = await ok(merchant.post(path, { initialValue: '30.00', customerEmail: 'ann@example.com' }), 201);
  expect(source).toMatchObject({ status: 'pending', balance: '0.00', initialValue: '30.00', programId: program.id });
  const destination = await ok(merchant.post(path, { initialValue: 5 }), 201);
  expect(await ok(merchant.post(`${path}/${source.id}/activate`))).toMatchObject({
    status: 'active',
    balance: '30.00',
  });
  await ok(merchant.post(`${path}/${destination.id}/activate`));

  const redeemed = await ok(merchant.post(`${path}/${source.id}/redeem`, { amount: 4.5, posTransactionId: 'till-7' }));
  expect(redeemed).toMatchObject({
    success: true,
    giftCardId: source.id,
    amountRedeemed: '4.50',
    remainingBalance: '25.50',
  });
  const refunded = await ok(
    merchant.post(`${path}/${source.id}/transactions/${redeemed.transactionId}/refund`, { amount: '0.50' }),
  );
  expect(refunded).toMatchObject({ refundedAmount: '0.50', remainingBalance: '26.00' });
  expect(await ok(merchant.post(`${path}/${source.id}/reload`, { amount: '4' }))).toMatchObject({ balance: '30.00' });

  const move = { securityCode: source.securityCode, destinationCardNumber: destination.cardNumber, amount: '30.00' };
  const transferred = await ok(merchant.post(`${path}/${source.id}/transfer`, move));
  expect(transferred).toEqual({
    success: true,
    message: expect.any(String),
    transferId: expect.stringMatching(/^[0-9a-f]{24}$/),
    sourceCard: { id: source.id, cardNumber: source.cardNumber, remainingBalance: '0.00', status: 'depleted' },
    destinationCard: { id: destination.id, cardNumber: destination.cardNumber, newBalance: '35.00' },
    amountTransferred: '30.00',
  });

  await ok(merchant.post(`${path}/${destination.id}/suspend`, { reason: 'lost' }));
  await ok(merchant.post(`${path}/${destination.id}/unsuspend`));
  expect(await ok(merchant.post(`${path}/${destination.id}/void`, { reason: 'returned' }))).toMatchObject({
    success: true,
    cardId: destination.id,
    action: 'void',
  });

  const history = (await merchant.get(`${path}/${source.id}/transactions`)).body as unknown as Record<
    string,
    unknown
  >[];
  expect(history.map(({ transactionType, amount, balanceAfter }) => [transactionType, amount, balanceAfter])).toEqual([
    ['TRANSFER_OUT', '-30.00', '0.00'],
    ['RELOAD', '4.00', '30.00'],
    ['REFUND', '0.50', '26.00'],
    ['REDEMPTION', '-4.50', '25.50'],
    ['ACTIVATION', '30.00', '30.00'],
  ]);

  const heard = () => receiver.events.filter(({ data }) => JSON.stringify(data).includes(String(program.id)));
  await until('every step was heard of', () => heard().length >= 11);
  expect(
    heard()
      .map(({ type }) => type)
      .sort(),
  ).toEqual(
    [
      ...['giftcard.created', 'giftcard.created', 'giftcard.activated', 'giftcard.activated', 'giftcard.redeemed'],
      ...['giftcard.refunded', 'giftcard.reloaded', 'giftcard.transferred', 'giftcard.suspended'],
      ...['giftcard.unsuspended', 'giftcard.voided'],
    ].sort(),
  );
  expect(receiver.forged).toEqual([]);
  const told = JSON.stringify(receiver.events);
  for (const card of [source, destination]) {
    expect(told).not.toContain(card.cardNumber);
    expect(told).not.toContain(`"${card.securityCode}"`);
  }

  expect(await ok(merchant.post(`/v2/webhooks/${hook.id}/disable`))).toMatchObject({ enabled: false });
  await ok(merchant.send('DELETE', `/v2/webhooks/${hook.id}`));
  expect((await merchant.get(`/v2/webhooks/${hook.id}`)).status).toBe(404);
});
