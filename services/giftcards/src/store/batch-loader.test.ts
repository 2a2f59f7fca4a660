import { expect, test } from '@jest/globals';
import { BatchLoader } from './batch-loader.ts';

test('look-ups that come together share a query, and each gets its own answer', async () => {
  const batches: (readonly string[])[] = [];
  const loader = new BatchLoader(async (keys) => {
    batches.push(keys);
    return new Map(keys.filter((key) => key !== 'x').map((key) => [key, key.toUpperCase()]));
  });
  const found = await Promise.all(['a', 'b', 'c', 'c', 'x'].map((key) => loader.load(key)));
  expect(found).toEqual(['A', 'B', 'C', 'C', undefined]);
  expect(batches).toEqual([['a', 'b', 'c', 'x']]);
});

test('look-ups that come while two queries are under way share the next one', async () => {
  const batches: (readonly string[])[] = [];
  const open: (() => void)[] = [];
  const loader = new BatchLoader<string>(async (keys) => {
    batches.push(keys);
    await new Promise<void>((resolve) => open.push(resolve));
    return new Map();
  });
  const waiting: Promise<unknown>[] = [];
  for (const key of ['a', 'b', 'c', 'd', 'e']) {
    waiting.push(loader.load(key));
    await new Promise(setImmediate);
  }
  expect(batches).toEqual([['a'], ['b']]);
  open[0]?.();
  while (batches.length < 3) await new Promise(setImmediate);
  expect(batches).toEqual([['a'], ['b'], ['c', 'd', 'e']]);
  for (const release of open) release();
  await Promise.all(waiting);
});

test('a failed query fails its own look-ups only', async () => {
  const loader = new BatchLoader<string>(async (keys) => {
    if (keys.includes('bad')) throw new Error('down');
    return new Map(keys.map((key) => [key, key]));
  });
  const bad = loader.load('bad');
  await new Promise(setImmediate);
  const outcomes = await Promise.allSettled([bad, loader.load('good')]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
});
