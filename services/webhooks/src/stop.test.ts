import { createServer } from 'node:net';
import { expect, test } from '@jest/globals';
import { startWebhooks, until } from './testing.ts';

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

test('a subscription that hangs keeps nothing ready, and holds up the end for a few seconds only', async () => {
  const port = await freePort();
  const stop = () => new Promise<void>(() => undefined);
  const webhooks = await startWebhooks({
    env: { HEALTH_PORT: String(port), STOP_DRAIN_MS: '1000' },
    overrides: { subscribe: () => ({ isRunning: () => true, stop }) },
  });
  const ready = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ status }) => status === 200,
      () => false,
    );
  expect(await ready()).toBe(true);
  const stopped = webhooks.stop();
  await until('it is not ready', async () => !(await ready()));
  await stopped;
});
