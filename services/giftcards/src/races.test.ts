import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { codeOf, GiftCardsBench, type IssuedCard } from './testing.ts';

const bench = new GiftCardsBench('races');
beforeAll(async () => {
  await bench.startReplica();
  await bench.startReplica();
});
afterAll(() => bench.stop());

const redeem = (replica: number, card: IssuedCard, amountMinor: number, key?: string) =>
  bench.clients[replica % 2]!.redeemCard(
    { target: bench.target(card.card, key), amountMinor: BigInt(amountMinor) },
    bench.caller,
  );

const transfer = (replica: number, from: IssuedCard, to: IssuedCard, amountMinor: number, key?: string) =>
  bench.clients[replica % 2]!.transferBalance(
    {
      target: bench.target(from.card, key),
      securityCode: from.code,
      destinationCardNumber: to.card.cardNumber,
      amountMinor: BigInt(amountMinor),
    },
    bench.caller,
  );

async function tally(calls: Promise<unknown>[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const code of await Promise.all(calls.map(codeOf))) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}

async function expectClean(): Promise<void> {
  expect((await bench.verify()).faults).toEqual([]);
}

test('64 clients on one replica spend all of a card and not a penny more', async () => {
  const card = await bench.activeCard(5_000);
  const counts = await tally(Array.from({ length: 64 }, () => redeem(0, card, 100)));
  expect(counts).toEqual({ none: 50, card_not_active: 14 });
  expect(await bench.balanceOf(card.card)).toBe(0);
  await expectClean();
});

test('64 clients on two replicas never overspend, and every penny is accounted for', async () => {
  const card = await bench.activeCard(3_000);
  const counts = await tally(Array.from({ length: 64 }, (_, i) => redeem(i, card, 100)));
  const spent = counts.none ?? 0;
  expect(spent).toBeGreaterThan(0);
  expect(spent).toBeLessThanOrEqual(30);
  expect(await bench.balanceOf(card.card)).toBe(3_000 - spent * 100);
  expect(Object.keys(counts).filter((code) => !['none', 'card_not_active', 'card_locked'].includes(code))).toEqual([]);
  await expectClean();
});

test('opposite transfers between two cards neither deadlock nor lose', async () => {
  const [a, b] = [await bench.activeCard(100_000), await bench.activeCard(100_000)];
  const counts = await tally(
    Array.from({ length: 64 }, (_, i) => (i % 2 === 0 ? transfer(0, a, b, 100) : transfer(0, b, a, 100))),
  );
  expect(counts).toEqual({ none: 64 });
  expect([await bench.balanceOf(a.card), await bench.balanceOf(b.card)]).toEqual([100_000, 100_000]);
  await expectClean();
});

test('opposite transfers on two replicas lose nothing', async () => {
  const [a, b] = [await bench.activeCard(100_000), await bench.activeCard(100_000)];
  const counts = await tally(
    Array.from({ length: 64 }, (_, i) => (i % 2 === 0 ? transfer(i >> 1, a, b, 100) : transfer(i >> 1, b, a, 100))),
  );
  expect(Object.keys(counts).filter((code) => !['none', 'card_locked'].includes(code))).toEqual([]);
  expect((await bench.balanceOf(a.card)) + (await bench.balanceOf(b.card))).toBe(200_000);
  await expectClean();
});

test('the same idempotency key sent 50 times at once moves money once', async () => {
  const [a, b] = [await bench.activeCard(10_000), await bench.activeCard(10_000)];
  const answers = await Promise.allSettled(Array.from({ length: 50 }, (_, i) => transfer(i, a, b, 700, 'key-1')));
  const done = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  expect(done.filter((answer) => !answer.replayed)).toHaveLength(1);
  expect(new Set(done.map((answer) => answer.transferId)).size).toBe(1);
  const refused = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason.code] : []));
  expect(refused.filter((code) => code !== 'idempotency_in_progress' && code !== 'card_locked')).toEqual([]);
  expect([await bench.balanceOf(a.card), await bench.balanceOf(b.card)]).toEqual([9_300, 10_700]);
  await expectClean();
});

test('refunds at once never give back more than was redeemed', async () => {
  const card = await bench.activeCard(5_000);
  const { transactionId } = await redeem(0, card, 5_000);
  const counts = await tally(
    Array.from({ length: 20 }, (_, i) =>
      bench.clients[i % 2]!.refundTransaction(
        { target: bench.target(card.card), transactionId, amountMinor: 700n },
        bench.caller,
      ),
    ),
  );
  expect(counts.none).toBeGreaterThan(0);
  expect(counts.none).toBeLessThanOrEqual(7);
  expect(await bench.balanceOf(card.card)).toBe((counts.none ?? 0) * 700);
  await expectClean();
});

test('wrong codes at once: no more than five are judged', async () => {
  const [a, b] = [await bench.activeCard(10_000), await bench.activeCard(10_000)];
  const wrong = { ...a, code: a.code === '000000' ? '000001' : '000000' };
  const counts = await tally(Array.from({ length: 30 }, () => transfer(0, wrong, b, 100)));
  expect(counts).toEqual({ incorrect_security_code: 5, security_code_locked: 25 });
  expect(await codeOf(transfer(1, a, b, 100))).toBe('security_code_locked');
});

test('a flood of balance checks washes no wrong code away', async () => {
  const card = await bench.activeCard(10_000);
  const wrong = card.code === '000000' ? '000001' : '000000';
  const check = (replica: number, securityCode: string) =>
    codeOf(bench.clients[replica % 2]!.checkBalance({ cardNumber: card.card.cardNumber, securityCode }, bench.caller));
  for (let i = 0; i < 5; i += 1) expect(await check(0, wrong)).toBe('card_not_found');
  const flood = await Promise.all(Array.from({ length: 40 }, (_, i) => check(i, wrong)));
  expect(new Set(flood)).toEqual(new Set(['security_code_locked']));
  expect(await check(0, card.code)).toBe('security_code_locked');
});

test('balance checks at once judge no more than five wrong codes', async () => {
  const card = await bench.activeCard(10_000);
  const wrong = card.code === '000000' ? '000001' : '000000';
  const request = { cardNumber: card.card.cardNumber, securityCode: wrong };
  const counts = await tally(
    Array.from({ length: 30 }, (_, i) => bench.clients[i % 2]!.checkBalance(request, bench.caller)),
  );
  expect(counts.card_not_found).toBeLessThanOrEqual(5);
  expect((counts.card_not_found ?? 0) + (counts.security_code_locked ?? 0)).toBe(30);
});
