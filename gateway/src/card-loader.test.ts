import { expect, test } from '@jest/globals';
import type { Caller } from '#platform/grpc/caller.ts';
import { CardLoader } from './card-loader.ts';
import type { Clients } from './clients.ts';

const callerOf = (merchantId: string) => ({ merchantId }) as Caller;

/** A loader whose giftcards has every card but `missing`, and notes what it is asked. */
function createLoader(fail = false) {
  const asked: [string, string, readonly string[]][] = [];
  const getCards = async ({ programId, cardIds }: { programId: string; cardIds: string[] }, caller: Caller) => {
    asked.push([caller.merchantId, programId, cardIds]);
    if (fail) throw new Error('down');
    return { cards: cardIds.filter((id) => id !== 'missing').map((id) => ({ id })) };
  };
  return { loader: new CardLoader({ getCards } as unknown as Clients['giftcards']), asked };
}

test('look-ups that come together share a call, by merchant and program', async () => {
  const { loader, asked } = createLoader();
  const [m1, m2] = [callerOf('m1'), callerOf('m2')];
  const cards = await Promise.all([
    loader.load('p1', 'a', m1),
    loader.load('p1', 'missing', m1),
    loader.load('p1', 'a', m1),
    loader.load('p2', 'a', m1),
    loader.load('p1', 'a', m2),
  ]);
  expect(cards.map((card) => card?.id)).toEqual(['a', undefined, 'a', 'a', 'a']);
  expect(asked).toEqual([
    ['m1', 'p1', ['a', 'missing']],
    ['m1', 'p2', ['a']],
    ['m2', 'p1', ['a']],
  ]);
});

test('what comes later is read anew', async () => {
  const { loader, asked } = createLoader();
  await loader.load('p', 'a', callerOf('m'));
  await loader.load('p', 'a', callerOf('m'));
  expect(asked).toHaveLength(2);
});

test('no call asks for more than giftcards takes', async () => {
  const { loader, asked } = createLoader();
  await Promise.all(Array.from({ length: 300 }, (_, i) => loader.load('p', `c${i}`, callerOf('m'))));
  expect(asked.map(([, , ids]) => ids.length)).toEqual([128, 128, 44]);
});

test('a failed call fails every look-up in it', async () => {
  const { loader } = createLoader(true);
  const outcomes = await Promise.allSettled([
    loader.load('p', 'a', callerOf('m')),
    loader.load('p', 'b', callerOf('m')),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});
