import { expect, test } from '@jest/globals';
import { Registry } from 'prom-client';
import { createReadGauge } from './metrics.ts';

test('scrapes at once share one read, and the next one reads anew', async () => {
  const registry = new Registry();
  const reads: PromiseWithResolvers<number>[] = [];
  createReadGauge(registry, { name: 'waiting', help: 'x' }, () => {
    const read = Promise.withResolvers<number>();
    reads.push(read);
    return read.promise;
  });
  const scrapes = [registry.metrics(), registry.metrics()];
  reads[0]?.resolve(7);
  for (const text of await Promise.all(scrapes)) expect(text).toContain('waiting 7');
  expect(reads).toHaveLength(1);
  const next = registry.metrics();
  reads[1]?.resolve(8);
  expect(await next).toContain('waiting 8');
});
