import { expect, test } from '@jest/globals';
import { createTestLogger } from '../testing.ts';
import { createStopGroup } from './stop-group.ts';

const never = () => new Promise<void>(() => undefined);

test('the servers are told first, and what hangs is left after its time', async () => {
  const logger = createTestLogger();
  const group = createStopGroup(logger);
  const seen: string[] = [];
  group.add('consumer', never, 50);
  group.add('pool', async () => void seen.push('pool'));
  await group.stopWith({ stop: async () => void seen.push('servers') });
  expect(seen).toEqual(['servers', 'pool']);
  expect(logger.lines).toEqual([expect.stringContaining('"what":"consumer"')]);
});

test('what fails holds up nothing', async () => {
  const logger = createTestLogger();
  const group = createStopGroup(logger);
  const fail = async () => {
    throw new Error('broken');
  };
  const seen: string[] = [];
  group.add('consumer', fail);
  group.add('pool', async () => void seen.push('pool'));
  await group.stopWith({ stop: fail });
  expect(seen).toEqual(['pool']);
  expect(logger.lines).toHaveLength(2);
});

test('it waits for the servers however long they take', async () => {
  const group = createStopGroup(createTestLogger());
  const served = Promise.withResolvers<void>();
  const seen: string[] = [];
  const stopping = group.stopWith({ stop: () => served.promise }).then(() => seen.push('stopped'));
  await new Promise(setImmediate);
  expect(seen).toEqual([]);
  served.resolve();
  await stopping;
});
