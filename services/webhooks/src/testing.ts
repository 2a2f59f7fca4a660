import { randomBytes } from 'node:crypto';
import mongoose from 'mongoose';
import { createRpcClient, type RpcClient } from '#platform/grpc/client.ts';
import { newId } from '#platform/ids.ts';
import type { DomainEvent } from '#platform/kafka/kafka.ts';
import { createTestDatabase, createTestLogger, type TestDatabase, testCaller } from '#platform/testing.ts';
import { type Webhook, type WebhookSettings, WebhooksServiceClient } from '#proto/webhooks/v1/webhooks.ts';
import { createApp, type Overrides } from './app.ts';
import { envToConfig } from './config.ts';
import type { DeliveryRow } from './store/delivery-schema.ts';

/** A running webhooks service on a database of its own; `await using` stops it, whatever becomes of the test. */
export interface WebhooksUnderTest extends AsyncDisposable {
  readonly client: RpcClient<WebhooksServiceClient>;
  readonly database: TestDatabase;
  /** Every line that it logged. */
  readonly logLines: readonly string[];
  /** Hands events to it as Kafka would; resolves when their offset would move. */
  emit(...events: DomainEvent[]): Promise<void>;
  /** Another replica on the same database; stops with this one, unless before. */
  startReplica(): Promise<WebhooksUnderTest>;
  /** The endpoint's deliveries as stored, oldest first. */
  deliveries(endpointId: string): Promise<DeliveryRow[]>;
  /** Stops this process only; its replicas go on, and the database stays. */
  stopAlone(): Promise<void>;
  stop(): Promise<void>;
}

interface Options {
  readonly env?: Record<string, string>;
  readonly overrides?: Overrides;
}

const callerSecret = randomBytes(32);
const encryptionKeys = `k1:${randomBytes(32).toString('base64')}`;

export async function startWebhooks(options: Options = {}): Promise<WebhooksUnderTest> {
  const database = await createTestDatabase('webhooks');
  const service = await startOn(database, options);
  const stop = async () => {
    await service.stop();
    await database.drop();
  };
  return { ...service, stop, [Symbol.asyncDispose]: stop };
}

async function startOn(database: TestDatabase, options: Options): Promise<WebhooksUnderTest> {
  let handle: (events: readonly DomainEvent[]) => Promise<void> = async () => undefined;
  const subscribe: Overrides['subscribe'] = (given) => {
    handle = given;
    return { isRunning: () => true, stop: async () => undefined };
  };
  const logger = createTestLogger();
  const { pool, ...overrides } = options.overrides ?? {};
  const app = createApp(envToConfig({ ...envOf(database), ...options.env }), {
    ...{ logger, subscribe, subscriptionsMs: 20, ...overrides },
    pool: { pollMs: 50, stopGraceMs: 200, ...pool },
  });
  await app.start();
  const client = createRpcClient(WebhooksServiceClient, `127.0.0.1:${app.grpcPort}`, callerSecret);
  const rows = database.connection.collection<DeliveryRow>('deliveries');
  const replicas: WebhooksUnderTest[] = [];
  const stopAlone = async () => {
    client.close();
    await app.stop();
  };
  const stop = async () => {
    for (const replica of replicas) await replica.stop();
    await stopAlone();
  };
  return {
    client,
    database,
    logLines: logger.lines,
    emit: (...events) => handle(events),
    async startReplica() {
      const replica = await startOn(database, options);
      replicas.push(replica);
      return replica;
    },
    deliveries: (endpointId) =>
      rows
        .find({ endpointId: objectId(endpointId) })
        .sort({ _id: 1 })
        .toArray(),
    stopAlone,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

function envOf(database: TestDatabase): Record<string, string> {
  return {
    GRPC_HOST: '127.0.0.1',
    GRPC_PORT: '0',
    HEALTH_HOST: '127.0.0.1',
    HEALTH_PORT: '0',
    STOP_DRAIN_MS: '0',
    MONGODB_URI: database.uri,
    MONGODB_DATABASE: database.database,
    KAFKA_BROKERS: '127.0.0.1:1',
    CALLER_SECRET: callerSecret.toString('base64'),
    WEBHOOK_ENCRYPTION_KEYS: encryptionKeys,
    WEBHOOK_ALLOW_LOOPBACK: 'true',
    WEBHOOK_RETRY_SCHEDULE_MS: '50,50,50',
  };
}

export function objectId(id: string): mongoose.mongo.ObjectId {
  return mongoose.mongo.ObjectId.createFromHexString(id);
}

/** The merchant's caller. */
export function callerOf(merchantId: string) {
  return testCaller({ kind: 'user', merchantId, userId: merchantId });
}

export function eventOf(merchantId: string, changes: Partial<DomainEvent> = {}): DomainEvent {
  const data = { amount: '12.50' };
  return { id: newId(), type: 'giftcard.redeemed', merchantId, timestamp: new Date().toISOString(), data, ...changes };
}

export function settingsOf(url: string, changes: Partial<WebhookSettings> = {}): WebhookSettings {
  const all = { allPassTemplates: true, allowedTemplates: [], allEventTypes: true, allowedEvents: [] };
  return { url, ...all, ...changes };
}

/** Creates an endpoint and turns it on. */
export async function enabledWebhook(
  { client }: WebhooksUnderTest,
  merchantId: string,
  url: string,
  changes: Partial<WebhookSettings> = {},
): Promise<Webhook> {
  const caller = callerOf(merchantId);
  const created = await client.createWebhook({ settings: settingsOf(url, changes) }, caller);
  return client.enableWebhook({ id: created.id }, caller);
}

const waitMsMax = 15_000;

/** Polls until `look` gives something true. */
export async function until<T>(what: string, look: () => T | Promise<T>): Promise<T> {
  const deadline = Date.now() + waitMsMax;
  for (;;) {
    const seen = await look();
    if (seen) return seen;
    if (Date.now() > deadline) throw new Error(`waited in vain for: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
