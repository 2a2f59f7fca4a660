import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '#platform/ids.ts';
import { callerOf, codeOf, GiftCardsBench } from './testing.ts';

const bench = new GiftCardsBench('look_up_card');
beforeAll(async () => {
  await bench.startReplica();
});
afterAll(() => bench.stop());

test.each<[string, (number: string) => { cardNumber?: string; programId?: string; merchantId?: string }]>([
  ['a number of no card', () => ({ cardNumber: '4111111111111111' })],
  ['a number with one digit altered', (number) => ({ cardNumber: `${(Number(number[0]) % 9) + 1}${number.slice(1)}` })],
  ['the last four digits', (number) => ({ cardNumber: number.slice(-4) })],
  ['no number', () => ({ cardNumber: '' })],
  ["another program's card", () => ({ programId: newId() })],
  ["another merchant's card", () => ({ merchantId: newId() })],
])('%s is card_not_found', async (_what, change) => {
  const { card } = await bench.pendingCard(100);
  const { merchantId = bench.caller.merchantId, ...rest } = change(card.cardNumber);
  const request = { programId: bench.program.id, cardNumber: card.cardNumber, ...rest };
  expect(await codeOf(bench.client.lookUpCard(request, callerOf(merchantId)))).toBe('card_not_found');
});

test('the card of a number is found, however the number is written', async () => {
  const { card } = await bench.activeCard(100);
  const ask = (cardNumber: string) =>
    bench.client.lookUpCard({ programId: bench.program.id, cardNumber }, bench.caller);
  expect(await ask(card.cardNumber)).toEqual({ card });
  const inFours = card.cardNumber.match(/\d{4}/g) ?? [];
  for (const written of [inFours.join(' '), inFours.join('-')]) expect(await ask(written)).toEqual({ card });
});
