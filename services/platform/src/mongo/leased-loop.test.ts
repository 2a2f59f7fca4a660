import { expect, test } from '@jest/globals';
import { createTestLogger } from '../testing.ts';
import type { Lease } from './lease.ts';
import { startLeasedLoop } from './leased-loop.ts';

/** A loop whose lease and work do as told, round by round; ends when both are used up. */
async function rounds(leases: (boolean | Error)[], works: (Error | undefined)[]) {
  const logger = createTestLogger();
  const done: string[] = [];
  const lease: Lease = {
    async take() {
      const next = leases.shift();
      if (next instanceof Error) throw next;
      return next ?? false;
    },
    release: async () => void done.push('released'),
  };
  const ended = Promise.withResolvers<void>();
  const loop = startLeasedLoop(lease, { name: 'test', everyMs: 1, logger }, async () => {
    done.push('worked');
    const fault = works.shift();
    if (works.length === 0) ended.resolve();
    if (fault) throw fault;
  });
  await ended.promise;
  await loop.stop();
  return { done, logger };
}

test('works only while it holds the lease, and gives it up in the end', async () => {
  const { done } = await rounds([false, true, false, true], [undefined, undefined]);
  expect(done).toEqual(['worked', 'worked', 'released']);
});

test('a round that fails is logged, and the next one works', async () => {
  const { done, logger } = await rounds([new Error('no database'), true, true], [new Error('bad round'), undefined]);
  expect(done).toEqual(['worked', 'worked', 'released']);
  expect(logger.lines.join('\n')).toMatch(/no database.*bad round/s);
});
