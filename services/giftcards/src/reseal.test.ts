import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import mongoose, { type Connection } from 'mongoose';
import { type KeyRing, open, seal } from '#platform/encryption.ts';
import { repoRoot } from '#stack/paths.ts';
import { resealMain } from './reseal-main.ts';
import { prepareDatabase } from './store/prepare-database.ts';
import { sealedFields } from './store/sealed-fields.ts';
import { codeOf, GiftCardsBench, type IssuedCard } from './testing.ts';

const { ObjectId } = mongoose.mongo;
const newKey = randomBytes(32);
let bench: GiftCardsBench;
let before: KeyRing;
let both: KeyRing;
const onlyNew: KeyRing = { current: 'k2', keys: new Map([['k2', newKey]]) };

beforeEach(async () => {
  bench = new GiftCardsBench('reseal');
  const { current, keys } = bench.config.cardKeys;
  both = { current: 'k2', keys: new Map([['k2', newKey], ...keys]) };
  // After the first roll-out pods know the new key, and seal with the old one.
  before = { current, keys: new Map([...keys, ['k2', newKey]]) };
  rollOut(before);
  await bench.startReplica();
});
afterEach(() => bench.stop());

/** Pods that start from now on have these keys. */
const rollOut = (cardKeys: KeyRing) => Object.assign(bench.config, { cardKeys });

const envOf = (ring: KeyRing) => ({
  MONGODB_URI: bench.config.service.mongo.uri,
  MONGODB_DATABASE: bench.config.service.mongo.database,
  CARD_ENCRYPTION_KEYS: [...ring.keys].map(([id, key]) => `${id}:${key.toString('base64')}`).join(),
});

async function run(ring = both) {
  const lines: string[] = [];
  const code = await resealMain({ ...envOf(ring) }, (line) => lines.push(line));
  return { code, text: lines.join('\n') };
}

const cardsOf = (connection: Connection) => connection.collection('cards');
const stored = () => bench.withDatabase((db) => cardsOf(db).find().sort({ _id: 1 }).toArray());
const withoutSeal = async () => (await stored()).map(({ sealedNumber: _sealed, ...rest }) => rest);
const numberOf = async ({ card }: IssuedCard, replica: number) => {
  const request = { ...bench.target(card), includeTransactions: false };
  return (await bench.clients[replica]!.getCard(request, bench.caller)).card?.cardNumber;
};

test('a card that no key opens is named, and its number is not', async () => {
  const { card } = await bench.activeCard(500);
  const other = await bench.activeCard(500);
  const _id = new ObjectId(card.id);
  const lost = seal(card.cardNumber, card.id, { current: 'k0', keys: new Map([['k0', randomBytes(32)]]) });
  await bench.withDatabase((db) => cardsOf(db).updateOne({ _id }, { $set: { sealedNumber: lost } }));
  const { code, text } = await run();
  expect([code, text]).toEqual([1, expect.stringContaining(`FAULT cards ${card.id}: no encryption key "k0"`)]);
  for (const each of [card, other.card]) expect(text).not.toContain(each.cardNumber);
  expect((await stored()).map(({ sealedNumber }) => String(sealedNumber).split('.')[0]).sort()).toEqual(['k0', 'k2']);
});

test('beside pods that move money and issue cards nothing else changes and no call fails', async () => {
  const cards = await Promise.all(Array.from({ length: 12 }, () => bench.activeCard(10_000)));
  rollOut(both);
  await bench.startReplica();
  const resealing = run();
  const moves: Promise<string>[] = [];
  const issued: Promise<IssuedCard>[] = [];
  for (const [index, from] of cards.entries()) {
    for (let turn = 1; turn <= 4; turn += 1) {
      const to = cards[(index + turn) % cards.length]!;
      const move = { securityCode: from.code, destinationCardNumber: to.card.cardNumber, amountMinor: 10n };
      const target = bench.target(from.card, `${index}-${turn}`);
      moves.push(codeOf(bench.clients[1]!.transferBalance({ target, ...move }, bench.caller)));
    }
    // By the first replica, which still seals with the old key.
    issued.push(bench.activeCard(100));
  }
  expect(new Set(await Promise.all(moves))).toEqual(new Set(['none']));
  const all = [...cards, ...(await Promise.all(issued))];
  await resealing;
  await bench.apps[0]!.stop();

  const rest = await withoutSeal();
  expect(await run()).toMatchObject({ code: 0 });
  expect(await withoutSeal()).toEqual(rest);
  expect((await bench.verify()).faults).toEqual([]);
  expect(await run(onlyNew)).toMatchObject({ code: 0 });
  rollOut(onlyNew);
  await bench.startReplica();
  for (const card of all) expect(await numberOf(card, 2)).toBe(card.card.cardNumber);
}, 60_000);

test('killed amid, every card still opens, and the next run ends what it began', async () => {
  const { card } = await bench.activeCard(500);
  const [original] = await stored();
  const copies = Array.from({ length: 1_000 }, () => {
    const _id = new ObjectId();
    const sealedNumber = seal(card.cardNumber, _id.toHexString(), before);
    return { ...original, _id, sealedNumber, numberHash: randomBytes(32).toString('base64url') };
  });
  await bench.withDatabase((db) => cardsOf(db).insertMany(copies));
  const env = { ...envOf(both), PATH: process.env.PATH };
  const child = spawn(process.execPath, ['services/giftcards/src/reseal-main.ts'], { cwd: repoRoot, env });
  const ended = once(child, 'exit');
  await bench.withDatabase(async (db) => {
    while ((await cardsOf(db).findOne({ sealedNumber: { $gte: 'k2.', $lt: 'k2/' } })) === null);
  });
  child.kill('SIGKILL');
  expect(await ended).toEqual([null, 'SIGKILL']);

  const left = await stored();
  expect(left.filter(({ sealedNumber }) => !String(sealedNumber).startsWith('k2.')).length).toBeGreaterThan(0);
  for (const { _id, sealedNumber } of left) expect(open(String(sealedNumber), String(_id), both)).toBe(card.cardNumber);
  expect(await run()).toMatchObject({ code: 0 });
  for (const { _id, sealedNumber } of await stored()) {
    expect(open(String(sealedNumber), String(_id), onlyNew)).toBe(card.cardNumber);
  }
}, 60_000);

test('every sealed field of the stored records is one of those', async () => {
  const found = await bench.withDatabase(async (db) => {
    await prepareDatabase(db);
    return Object.values(db.models).flatMap((model) =>
      Object.keys(model.schema.paths)
        .filter((path) => /sealed/i.test(path))
        .map((field) => ({ collection: model.collection.name, field })),
    );
  });
  expect(found).toEqual(sealedFields);
});
