import { generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { createClient } from 'redis';
import { createRpcClient, type RpcClient } from '#platform/grpc-client.ts';
import {
  createTestDatabase,
  createTestLogger,
  type TestDatabase,
  testCaller,
  testComponent,
} from '#platform/testing.ts';
import { IdentityServiceClient, type User } from '#proto/identity/v1/identity.ts';
import { createApp } from './app.ts';
import type { IdentityConfig } from './config.ts';

const callerSecret = randomBytes(32);

/** A running identity service on a database of its own, and its gRPC client. */
export interface IdentityUnderTest {
  readonly client: RpcClient<IdentityServiceClient>;
  readonly database: TestDatabase;
  /** The key that its tokens are signed with, to forge others. */
  readonly jwtPrivateKey: KeyObject;
  /** Every line that it logged. */
  readonly logLines: readonly string[];
  /** Moves its clock on. */
  advance(ms: number): void;
  stop(): Promise<void>;
}

export async function startIdentity(options: { redisUrl?: string } = {}): Promise<IdentityUnderTest> {
  const database = await createTestDatabase('identity');
  const { privateKey: jwtPrivateKey } = generateKeyPairSync('ed25519');
  const logger = createTestLogger();
  const config: IdentityConfig = {
    logLevel: 'debug',
    grpc: { host: '127.0.0.1', port: 0 },
    health: { host: '127.0.0.1', port: 0 },
    mongo: database,
    callerSecret,
    redisUrl: options.redisUrl ?? testComponent('TEST_REDIS_URL'),
    jwtPrivateKey,
    apiKeyPepper: randomBytes(32),
  };
  let aheadMs = 0;
  const app = createApp(config, { logger, clock: () => new Date(Date.now() + aheadMs) });
  await app.start();
  const client = createRpcClient(IdentityServiceClient, `127.0.0.1:${app.grpcPort}`, callerSecret);
  return {
    client,
    database,
    jwtPrivateKey,
    logLines: logger.lines,
    advance(ms) {
      aheadMs += ms;
    },
    async stop() {
      client.close();
      await app.stop();
      await database.drop();
    },
  };
}

export const operator = testCaller({ kind: 'operator' });
export const anonymous = testCaller();

/** The caller that the gateway makes of a user's access token. */
export function callerOf(user: User) {
  return testCaller({ kind: 'user', merchantId: user.id, userId: user.id });
}

/** A merchant nobody has seen before, and what its owner logs in with. */
export async function provisionTestMerchant({ client }: IdentityUnderTest) {
  const email = `owner-${randomBytes(4).toString('hex')}@example.com`;
  const password = randomBytes(12).toString('base64url');
  const user = await client.provisionMerchant({ email, password, name: 'Owner', company: 'Shop Ltd' }, operator);
  return { user, email, password, caller: callerOf(user) };
}

/** What identity tells the gateways over Redis, heard from now on. */
export async function listenForRevocations() {
  const subscriber = createClient({ url: testComponent('TEST_REDIS_URL') });
  await subscriber.connect();
  const heard = new Set<string>();
  const waiting = new Map<string, () => void>();
  await subscriber.subscribe('credentials.revoked', (id) => {
    heard.add(id);
    waiting.get(id)?.();
  });
  return {
    /** Resolves once this credential was told of. */
    async told(id: string) {
      if (!heard.has(id)) await new Promise<void>((resolve) => waiting.set(id, resolve));
    },
    stop: () => subscriber.destroy(),
  };
}
