import { randomBytes } from 'node:crypto';
import { createRpcClient, type RpcClient } from '#platform/grpc/client.ts';
import { newId } from '#platform/ids.ts';
import { createTestDatabase, createTestLogger, testCaller } from '#platform/testing.ts';
import { TemplatesServiceClient } from '#proto/templates/v1/templates.ts';
import { createApp, type Overrides } from './app.ts';

/** A running templates service on a database of its own, and its gRPC client. */
export interface TemplatesUnderTest {
  readonly client: RpcClient<TemplatesServiceClient>;
  stop(): Promise<void>;
}

export async function startTemplates(overrides: Overrides = {}): Promise<TemplatesUnderTest> {
  const database = await createTestDatabase('templates');
  const callerSecret = randomBytes(32);
  const listen = { host: '127.0.0.1', port: 0 };
  const config = { logLevel: 'debug', grpc: listen, health: listen, mongo: database, callerSecret };
  const app = createApp(config, { logger: createTestLogger(), ...overrides });
  await app.start();
  const client = createRpcClient(TemplatesServiceClient, `127.0.0.1:${app.grpcPort}`, callerSecret);
  const stop = async () => {
    client.close();
    await app.stop();
    await database.drop();
  };
  return { client, stop };
}

/** A merchant nobody has seen before. */
export function newMerchant() {
  const merchantId = newId();
  return testCaller({ kind: 'user', merchantId, userId: merchantId });
}
