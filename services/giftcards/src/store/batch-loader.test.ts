import { expect, test } from '@jest/globals';
import { BatchLoader } from './batch-loader.ts';

test('look-ups that come while queries are under way share the next one', async () => {
  const batches: (readonly string[])[] = [];
  const loader = new BatchLoader(async (keys) => {
    batches.push(keys);
    await new Promise(setImmediate);
    return new Map(keys.filter((key) => key !== 'x').map((key) => [key, key.toUpperCase()]));
  });
  const found = await Promise.all(['a', 'b', 'c', 'd', 'c', 'x'].map((key) => loader.load(key)));
  expect(found).toEqual(['A', 'B', 'C', 'D', 'C', undefined]);
  expect(batches).toEqual([['a'], ['b'], ['c', 'd', 'x']]);
});

test('a failed query fails its own look-ups only', async () => {
  const loader = new BatchLoader<string>(async (keys) => {
    if (keys.includes('bad')) throw new Error('down');
    return new Map(keys.map((key) => [key, key]));
  });
  const outcomes = await Promise.allSettled([loader.load('bad'), loader.load('good')]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
});
