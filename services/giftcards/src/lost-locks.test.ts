import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { LockManager } from '#platform/redis/lock.ts';
import { codeOf, GiftCardsBench } from './testing.ts';

/** Locks as they are when Redis forgets them: everybody gets every one. */
const lostLocks: LockManager = { acquire: async () => ({ release: async () => {} }) };
const bench = new GiftCardsBench('lost_locks');
beforeAll(async () => {
  await bench.startReplica({ locks: lostLocks });
  await bench.startReplica({ locks: lostLocks });
});
afterAll(() => bench.stop());

test('without any lock two replicas spending from one card lose and invent no penny', async () => {
  const { card } = await bench.activeCard(3_000);
  const spend = (i: number) =>
    codeOf(bench.clients[i % 2]!.redeemCard({ target: bench.target(card), amountMinor: 100n }, bench.caller));
  const codes = await Promise.all(Array.from({ length: 64 }, (_, i) => spend(i)));
  const spent = codes.filter((code) => code === 'none').length;
  expect(spent).toBeGreaterThan(0);
  expect(await bench.balanceOf(card)).toBe(3_000 - spent * 100);
  expect((await bench.verify()).faults).toEqual([]);
});

test('without any lock a change of status happens once', async () => {
  const { card } = await bench.activeCard(1_000);
  const target = bench.target(card);
  for (let round = 0; round < 10; round += 1) {
    const suspend = (i: number) =>
      codeOf(bench.clients[i % 2]!.suspendCard({ target, reason: `${i}`, suspendedUntil: undefined }, bench.caller));
    const codes = await Promise.all(Array.from({ length: 8 }, (_, i) => suspend(i)));
    expect(codes.filter((code) => code === 'none')).toHaveLength(1);
    await bench.client.unsuspendCard({ target }, bench.caller);
  }
});
