import { expect, test } from '@jest/globals';
import { createWorkLimit } from './work-limit.ts';

test('runs so many at once, the rest in order, and refuses what is too much', async () => {
  const limited = createWorkLimit({ runningMax: 2, waitingMax: 2 }, () => new Error('full'));
  const started: number[] = [];
  const finish: (() => void)[] = [];
  const work = (index: number) =>
    limited(() => {
      started.push(index);
      return new Promise<void>((resolve) => finish.push(resolve));
    });
  const all = [0, 1, 2, 3].map(work);
  await expect(work(4)).rejects.toThrow('full');
  expect(started).toEqual([0, 1]);
  finish[1]?.();
  await all[1];
  expect(started).toEqual([0, 1, 2]);
  finish[0]?.();
  await all[0];
  expect(started).toEqual([0, 1, 2, 3]);
  finish.forEach((done) => {
    done();
  });
  await Promise.all(all);
});

test('a failure frees its place', async () => {
  const limited = createWorkLimit({ runningMax: 1, waitingMax: 0 }, () => new Error('full'));
  await expect(limited(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  await expect(limited(async () => 'fine')).resolves.toBe('fine');
});
