import { generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from 'redis';
import { createRpcClient, type RpcClient } from '#platform/grpc/client.ts';
import type { DomainEvent } from '#platform/kafka/kafka.ts';
import type { MailConfig } from '#platform/mail/mail.ts';
import {
  createTestDatabase,
  createTestLogger,
  type TestDatabase,
  testCaller,
  testComponent,
} from '#platform/testing.ts';
import { IdentityServiceClient, type User } from '#proto/identity/v1/identity.ts';
import { createApp, type Overrides } from './app.ts';
import type { IdentityConfig } from './config.ts';

const callerSecret = randomBytes(32);

/** A running identity service on a database of its own, and its gRPC client. */
export interface IdentityUnderTest {
  readonly client: RpcClient<IdentityServiceClient>;
  readonly database: TestDatabase;
  /** With the key that its tokens are signed with, to forge others. */
  readonly config: IdentityConfig;
  /** Of its gRPC server, `host:port`. */
  readonly address: string;
  /** Where it writes its mails. */
  readonly mailDir: string;
  /** Its clock. */
  now(): Date;
  /** Every line that it logged. */
  readonly logLines: readonly string[];
  /** Hands it events, as its subscription would. */
  feed(events: readonly DomainEvent[]): Promise<void>;
  /** Moves its clock on. */
  advance(ms: number): void;
  stop(): Promise<void>;
}

interface IdentityOptions {
  readonly redisUrl?: string;
  /** Where its events come from; by hand when left out. */
  readonly kafkaPrefix?: string;
  readonly jwtFormerPublicKeys?: readonly KeyObject[];
  /** Where its mails go; to a folder of its own when left out. */
  readonly mailVia?: MailConfig['via'];
  /** How often counted calls are stored; not at all when left out, since all test files share one Redis. */
  readonly usageFlushMs?: number;
  /** Whether it tells the gateways to forget everything, which those of other test files hear too. */
  readonly tellsAtStart?: boolean;
  /** Another replica of this one, on the same database. */
  readonly replicaOf?: IdentityUnderTest;
}

const never = 2 ** 30;

export async function startIdentity(options: IdentityOptions = {}): Promise<IdentityUnderTest> {
  const { replicaOf } = options;
  const database = replicaOf?.database ?? (await createTestDatabase('identity'));
  const logger = createTestLogger();
  const mailDir = join(tmpdir(), `mail-${randomBytes(8).toString('hex')}`);
  const config: IdentityConfig = {
    logLevel: 'debug',
    grpc: { host: '127.0.0.1', port: 0 },
    health: { host: '127.0.0.1', port: 0 },
    mongo: database,
    callerSecret,
    kafka: { brokers: testComponent('TEST_KAFKA_BROKERS').split(','), prefix: options.kafkaPrefix ?? '' },
    redisUrl: options.redisUrl ?? testComponent('TEST_REDIS_URL'),
    jwtPrivateKey: generateKeyPairSync('ed25519').privateKey,
    jwtFormerPublicKeys: options.jwtFormerPublicKeys ?? [],
    apiKeyPepper: randomBytes(32),
    encryptionKeys: { current: 'k1', keys: new Map([['k1', randomBytes(32)]]) },
    mail: { from: 'no-reply@tallycard.example', via: options.mailVia ?? { dir: mailDir } },
    publicUrl: 'https://api.example.com',
    planDefaults: { freePerMonth: 10_000, perMinute: 60, perHour: 1_000 },
    ...(replicaOf && { jwtPrivateKey: replicaOf.config.jwtPrivateKey, apiKeyPepper: replicaOf.config.apiKeyPepper }),
    ...(replicaOf && { encryptionKeys: replicaOf.config.encryptionKeys }),
  };
  let aheadMs = 0;
  let feed: IdentityUnderTest['feed'] = async () => {};
  const byHand: Overrides['subscribe'] = (handle) => {
    feed = handle;
    return { isRunning: () => true, stop: async () => {} };
  };
  const subscribe = options.kafkaPrefix === undefined ? byHand : undefined;
  const now = () => new Date(Date.now() + aheadMs);
  const app = createApp(config, {
    logger,
    subscribe,
    clock: replicaOf?.now ?? now,
    usageFlushMs: options.usageFlushMs ?? never,
    tellsAtStart: options.tellsAtStart ?? false,
  });
  await app.start();
  const address = `127.0.0.1:${app.grpcPort}`;
  const client = createRpcClient(IdentityServiceClient, address, callerSecret);
  return {
    client,
    database,
    config,
    mailDir,
    address,
    now,
    logLines: logger.lines,
    feed: (events) => feed(events),
    advance(ms) {
      aheadMs += ms;
    },
    async stop() {
      client.close();
      await app.stop();
      await rm(mailDir, { recursive: true, force: true });
      if (replicaOf === undefined) await database.drop();
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

/** The mails to an address, in their order and decoded, once there are `count`. */
export async function mailsTo({ mailDir }: IdentityUnderTest, email: string, count: number): Promise<string[]> {
  const giveUpAt = Date.now() + 20_000;
  for (;;) {
    const names = await readdir(mailDir).catch(() => []);
    const files = names.filter((name) => name.endsWith('.eml')).sort();
    const texts = await Promise.all(files.map((name) => readFile(join(mailDir, name), 'utf8')));
    const mails = texts.filter((text) => text.includes(`To: ${email}\n`)).map(unfold);
    if (mails.length >= count) return mails;
    if (Date.now() > giveUpAt) throw new Error(`${mails.length} mails to ${email}, not ${count}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Undoes quoted-printable (RFC 2045, 6.7). */
const unfold = (text: string) =>
  text
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_match, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** A caller by the access token of a log-in of just now, and the tokens. */
export async function logInAs(identity: IdentityUnderTest, { email, password }: { email: string; password: string }) {
  const pair = await identity.client.logIn({ email, password }, anonymous);
  const principal = await identity.client.authenticate({ credential: pair.accessToken }, anonymous);
  const { merchantId, userId, credentialId } = principal;
  return { ...pair, sessionId: credentialId, caller: testCaller({ kind: 'user', merchantId, userId, credentialId }) };
}

/** What identity tells the gateways over Redis, heard from now on. */
export async function listenForRevocations() {
  const subscriber = createClient({ url: testComponent('TEST_REDIS_URL') });
  await subscriber.connect();
  const heard = new Map<string, number>();
  const waiting = new Map<string, () => void>();
  await subscriber.subscribe('credentials.revoked', (id) => {
    heard.set(id, (heard.get(id) ?? 0) + 1);
    waiting.get(id)?.();
  });
  return {
    /** Resolves once this credential was told of, `times` in all. */
    async told(id: string, times = 1) {
      while ((heard.get(id) ?? 0) < times) await new Promise<void>((resolve) => waiting.set(id, resolve));
    },
    stop: () => subscriber.destroy(),
  };
}
