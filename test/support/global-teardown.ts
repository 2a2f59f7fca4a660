import { rm } from 'node:fs/promises';

/** Stops the shared stack and deletes its data. */
export default async function globalTeardown(): Promise<void> {
  const running = globalThis.tallycardTestStack;
  if (running === undefined) return;
  await running.stack.stop();
  await rm(running.dataDir, { recursive: true, force: true });
}
