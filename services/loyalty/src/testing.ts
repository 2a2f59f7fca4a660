import { randomBytes } from 'node:crypto';
import { createRpcClient, type RpcClient } from '#platform/grpc/client.ts';
import { newId } from '#platform/ids.ts';
import { createTestDatabase, createTestLogger, type TestDatabase, testCaller } from '#platform/testing.ts';
import { type CreateProgramRequest, LoyaltyServiceClient } from '#proto/loyalty/v1/loyalty.ts';
import { createApp, type Overrides } from './app.ts';

/** A running loyalty service on a database of its own, and its gRPC client. */
export interface LoyaltyUnderTest {
  readonly client: RpcClient<LoyaltyServiceClient>;
  readonly database: TestDatabase;
  stop(): Promise<void>;
}

export async function startLoyalty(overrides: Overrides = {}): Promise<LoyaltyUnderTest> {
  const database = await createTestDatabase('loyalty');
  const callerSecret = randomBytes(32);
  const listen = { host: '127.0.0.1', port: 0 };
  const config = { logLevel: 'debug', grpc: listen, health: listen, mongo: database, callerSecret };
  const app = createApp(config, { logger: createTestLogger(), ...overrides });
  await app.start();
  const client = createRpcClient(LoyaltyServiceClient, `127.0.0.1:${app.grpcPort}`, callerSecret);
  const stop = async () => {
    client.close();
    await app.stop();
    await database.drop();
  };
  return { client, database, stop };
}

/** A merchant nobody has seen before. */
export function newMerchant() {
  const merchantId = newId();
  return testCaller({ kind: 'user', merchantId, userId: merchantId });
}

/** A request with nothing but a name. */
export function programNamed(name: string): CreateProgramRequest {
  return { name, type: '', currency: '', giftCard: undefined };
}
