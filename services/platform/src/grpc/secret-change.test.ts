import { randomBytes } from 'node:crypto';
import { afterEach, expect, test } from '@jest/globals';
import { IdentityServiceClient, IdentityServiceService } from '#proto/identity/v1/identity.ts';
import { EnvReader } from '../process/env.ts';
import { readServiceConfig } from '../process/service.ts';
import { createTestLogger, testCaller } from '../testing.ts';
import { createRpcClient } from './client.ts';
import { type GrpcServer, startGrpcServer } from './server.ts';

const [before, after] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];
/** What `CALLER_SECRET` is set to, one roll-out after another. */
const stages = [before, `${before},${after}`, `${after},${before}`, after];
let server: GrpcServer | undefined;

afterEach(() => server?.stop(1_000));

const configOf = (secret: string) =>
  readServiceConfig(new EnvReader({ CALLER_SECRET: secret, MONGODB_URI: 'mongodb://none' }), 'identity');

/** A call of a client at one stage to a server at another: `ok`, or how it was refused. */
async function callBetween(clientStage: string, serverStage: string): Promise<string> {
  const { callerSecret, callerOtherSecrets } = configOf(serverStage);
  const about = { logger: createTestLogger(), metrics: { observe: () => undefined } };
  const handlers = { deleteAppKey: async () => ({}) };
  server = await startGrpcServer<Record<string, never>>(IdentityServiceService, handlers, {
    ...{ host: '127.0.0.1', port: 0, callerSecret, callerOtherSecrets },
    ...about,
  });
  const client = createRpcClient(IdentityServiceClient, `127.0.0.1:${server.port}`, configOf(clientStage).callerSecret);
  try {
    return await client.deleteAppKey({ id: '' }, testCaller()).then(
      () => 'ok',
      (error: Error) => error.message,
    );
  } finally {
    client.close();
  }
}

test.each([
  [0, 1],
  [1, 0],
  [1, 2],
  [2, 1],
  [2, 3],
  [3, 2],
])('the caller secret is changed by three roll-outs: a client at stage %i reaches a server at %i', async (from, to) => {
  expect(await callBetween(String(stages[from]), String(stages[to]))).toBe('ok');
});

test.each([
  [0, 3],
  [3, 0],
])('at once it cannot be changed, nor does the old one open anything afterwards: %i and %i', async (from, to) => {
  expect(await callBetween(String(stages[from]), String(stages[to]))).not.toBe('ok');
});
