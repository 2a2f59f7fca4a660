import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '#platform/ids.ts';
import { codeOf, GiftCardsBench } from './testing.ts';

const bench = new GiftCardsBench('check_balance');
beforeAll(async () => {
  await bench.startReplica();
});
afterAll(() => bench.stop());

describe('balance check', () => {
  test('shows the balance to who has number and code', async () => {
    const card = await bench.activeCard(100);
    const request = { cardNumber: card.card.cardNumber, securityCode: card.code, programId: bench.program.id };
    expect(await bench.client.checkBalance(request, bench.caller)).toMatchObject({
      balanceMinor: 100n,
      status: 'active',
      isActive: true,
      lastFourDigits: card.card.lastFourDigits,
    });
  });

  test.each([
    ['an unknown number', { cardNumber: '4111111111111111' }],
    ['a wrong code', { securityCode: 'nonono' }],
    ['another program', { programId: newId() }],
  ])('%s: card_not_found', async (_, change) => {
    const card = await bench.activeCard(100);
    const request = { cardNumber: card.card.cardNumber, securityCode: card.code, ...change };
    expect(await codeOf(bench.client.checkBalance(request, bench.caller))).toBe('card_not_found');
  });
});
