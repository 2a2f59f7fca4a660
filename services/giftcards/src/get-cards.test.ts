import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '#platform/ids.ts';
import { callerOf, codeOf, GiftCardsBench } from './testing.ts';

const bench = new GiftCardsBench('get_cards');
beforeAll(async () => {
  await bench.startReplica();
});
afterAll(() => bench.stop());

test("only the merchant's cards of the program come back, whatever else is asked for", async () => {
  const [first, second] = [await bench.pendingCard(100), await bench.pendingCard(200)];
  const cardIds = [first.card.id, newId(), 'no id', second.card.id];
  const idsFor = async (programId: string, caller = bench.caller) => {
    const { cards } = await bench.client.getCards({ programId, cardIds }, caller);
    return cards.map(({ id }) => id).sort();
  };
  expect(await idsFor(bench.program.id)).toEqual([first.card.id, second.card.id].sort());
  expect(await idsFor(newId())).toEqual([]);
  expect(await idsFor(bench.program.id, callerOf(newId()))).toEqual([]);
});

test('more than 128 at once are refused', async () => {
  const ask = (count: number) =>
    codeOf(
      bench.client.getCards(
        { programId: bench.program.id, cardIds: Array.from({ length: count }, () => newId()) },
        bench.caller,
      ),
    );
  expect([await ask(128), await ask(129)]).toEqual(['none', 'validation_error']);
});
