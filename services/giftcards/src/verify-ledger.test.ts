import { afterEach, beforeEach, expect, test } from '@jest/globals';
import mongoose, { type Connection } from 'mongoose';
import { GiftCardsBench, type IssuedCard } from './testing.ts';

const { ObjectId } = mongoose.mongo;
let bench: GiftCardsBench;
let source: IssuedCard;
let destination: IssuedCard;

beforeEach(async () => {
  bench = new GiftCardsBench('verify');
  await bench.startReplica();
  source = await bench.activeCard(1_000);
  destination = await bench.activeCard(500);
  const move = { securityCode: source.code, destinationCardNumber: destination.card.cardNumber, amountMinor: 300n };
  await bench.client.transferBalance({ target: bench.target(source.card, 'key'), ...move }, bench.caller);
});
afterEach(() => bench.stop());

const idOf = (card: IssuedCard) => new ObjectId(card.card.id);
const ofCard = (card: IssuedCard) => ({ cardId: idOf(card) });

/** Damages the database behind the service's back, and gives what the check finds. */
async function faultsAfter(damage: (connection: Connection) => Promise<unknown>): Promise<string> {
  await bench.withDatabase(damage);
  const report = await bench.verify();
  expect(report.faultCount).toBeGreaterThan(0);
  return report.faults.join('\n');
}

test('a sound database is clean, and everything in it is counted', async () => {
  expect(await bench.verify()).toEqual({
    cards: 2,
    entries: 4,
    transfers: 1,
    idempotencyRecords: 1,
    balances: { GBP: 1_500 },
    faultCount: 0,
    faults: [],
  });
});

test('a balance that is not the sum of its entries', async () => {
  const damage = (db: Connection) =>
    db.collection('cards').updateOne({ _id: idOf(source) }, { $inc: { balanceMinor: 1 } });
  expect(await faultsAfter(damage)).toContain(`card ${source.card.id}: balance 701, but entries sum to 700`);
});

test.each([
  ['below zero', -1, 'is below zero'],
  ['above the limit', 1_000_001, 'is above the limit'],
  ['no integer', 0.5, 'is no integer'],
])('a balance %s', async (_, balanceMinor, fault) => {
  const damage = (db: Connection) =>
    db.collection('cards').updateOne({ _id: idOf(source) }, { $set: { balanceMinor } });
  expect(await faultsAfter(damage)).toContain(fault);
});

test('an entry that is gone', async () => {
  const damage = (db: Connection) => db.collection('entries').deleteOne({ ...ofCard(source), type: 'TRANSFER_OUT' });
  const faults = await faultsAfter(damage);
  expect(faults).toContain('has 1 entries, not 2');
  expect(faults).toMatch(/transfer [0-9a-f]{24}: 1 entries/);
  expect(faults).toMatch(/idempotency record .*: entry [0-9a-f]{24} missing/);
});

test('a transfer whose entries do not add up to zero, though each card is right by itself', async () => {
  const faults = await faultsAfter(async (db) => {
    await db
      .collection('entries')
      .updateOne(
        { ...ofCard(destination), type: 'TRANSFER_IN' },
        { $set: { amountMinor: 400, balanceAfterMinor: 900 } },
      );
    await db.collection('cards').updateOne({ _id: idOf(destination) }, { $set: { balanceMinor: 900 } });
  });
  expect(faults).toMatch(/^transfer [0-9a-f]{24}: its entries add up to 100$/);
});

test('with memory for one half of a transfer alone it counts and finds the same', async () => {
  const move = async (key: string) => {
    const transfer = {
      securityCode: source.code,
      destinationCardNumber: destination.card.cardNumber,
      amountMinor: 10n,
    };
    await bench.client.transferBalance({ target: bench.target(source.card, key), ...transfer }, bench.caller);
  };
  for (const key of ['a', 'b', 'c', 'd', 'e', 'f']) await move(key);
  expect(await bench.verify(1)).toEqual(await bench.verify());
  const incoming = { ...ofCard(destination), type: 'TRANSFER_IN' };
  await bench.withDatabase(async (db) => {
    const entries = db.collection('entries');
    const ids = await entries.distinct('_id', incoming);
    await entries.deleteMany({ _id: { $in: ids.slice(0, 3) } });
    await entries.updateOne({ _id: { $in: ids.slice(3) } }, { $inc: { amountMinor: 1 } });
  });
  const [whole, inShares] = [await bench.verify(), await bench.verify(1)];
  expect(whole).toMatchObject({ transfers: 7 });
  expect(whole.faults.filter((fault) => /^transfer .* (1 entries|add up to 1$)/.test(fault))).toHaveLength(4);
  const sorted = (report: typeof whole) => ({ ...report, faults: [...report.faults].sort() });
  expect(sorted(inShares)).toEqual(sorted(whole));
});

test('an entry of a card that is not there, and a card without its entries', async () => {
  const faults = await faultsAfter((db) =>
    db.collection('entries').updateMany(ofCard(source), { $set: { cardId: new ObjectId() } }),
  );
  expect(faults).toContain('2 entries belong to no card');
  expect(faults).toContain('has 0 entries, not 2');
});

test('an idempotency record without its change', async () => {
  const faults = await faultsAfter((db) =>
    db.collection('idempotency').updateOne({}, { $set: { entryIds: ['0123456789abcdef01234567'] } }),
  );
  expect(faults).toContain('entry 0123456789abcdef01234567 missing');
});

test('refunds of more than was redeemed, though balance and entries agree', async () => {
  const target = bench.target(source.card);
  const { transactionId } = await bench.client.redeemCard({ target, amountMinor: 100n }, bench.caller);
  await bench.client.refundTransaction({ target, transactionId, amountMinor: 100n }, bench.caller);
  const faults = await faultsAfter(async (db) => {
    const redemption = new ObjectId(transactionId);
    await db
      .collection('entries')
      .updateOne({ refundOf: redemption }, { $set: { amountMinor: 150, balanceAfterMinor: 750 } });
    await db.collection('cards').updateOne({ _id: idOf(source) }, { $set: { balanceMinor: 750 } });
  });
  expect(faults).toContain(`refunds 50 more than redemption ${transactionId} was`);
});
