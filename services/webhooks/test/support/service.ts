import { randomBytes } from 'node:crypto';
import mongoose, { type Connection } from 'mongoose';
import type { Caller } from '#platform/caller.ts';
import { createRpcClient, type RpcClient } from '#platform/grpc-client.ts';
import { newId } from '#platform/ids.ts';
import type { DomainEvent } from '#platform/kafka.ts';
import { type Webhook, type WebhookSettings, WebhooksServiceClient } from '#proto/webhooks/v1/webhooks.ts';
import { createApp, type Overrides, type WebhooksApp } from '../../src/app.ts';
import { envToConfig } from '../../src/config.ts';
import type { DeliveryRow } from '../../src/store/delivery-schema.ts';

/** A running webhooks service on a database of its own; events are handed to it as Kafka would. */
export interface TestService {
  readonly client: RpcClient<WebhooksServiceClient>;
  readonly database: Connection;
  emit(...events: DomainEvent[]): Promise<void>;
  /** Another replica on the same database; stops with this one, unless before. */
  startReplica(options?: ServiceOptions): Promise<TestService>;
  deliveries(endpointId: string): Promise<DeliveryRow[]>;
  stop(): Promise<void>;
}

export interface ServiceOptions {
  readonly env?: Record<string, string>;
  readonly overrides?: Overrides;
}

const callerSecret = randomBytes(32);
const encryptionKeys = `k1:${randomBytes(32).toString('base64')}`;

export function callerOf(merchantId: string, changes: Partial<Caller> = {}): Caller {
  const base = { userId: merchantId, credentialId: newId(), requestId: newId(), ip: '127.0.0.1' };
  return { kind: 'user', merchantId, ...base, ...changes };
}

export function eventOf(merchantId: string, changes: Partial<DomainEvent> = {}): DomainEvent {
  const data = { amount: '12.50' };
  return { id: newId(), type: 'giftcard.redeemed', merchantId, timestamp: new Date().toISOString(), data, ...changes };
}

export async function startService(options: ServiceOptions = {}): Promise<TestService> {
  const uri = required('TEST_MONGODB_URI');
  const dbName = `test_webhooks_${randomBytes(6).toString('hex')}`;
  const database = await mongoose.createConnection(uri, { dbName }).asPromise();
  const service = await startOn(database, uri, options);
  return {
    ...service,
    async stop() {
      await service.stop();
      await database.dropDatabase();
      await database.close();
    },
  };
}

async function startOn(database: Connection, uri: string, options: ServiceOptions): Promise<TestService> {
  const replicas: TestService[] = [];
  let handle: ((events: readonly DomainEvent[]) => Promise<void>) | undefined;
  const subscribe: Overrides['subscribe'] = (given) => {
    handle = given;
    return { isRunning: () => true, stop: async () => undefined };
  };
  const delivery = { pollMs: 50, stopGraceMs: 200, ...options.overrides?.delivery };
  const app: WebhooksApp = createApp(envToConfig({ ...envOf(uri, database.name), ...options.env }), {
    subscribe,
    subscriptionsMs: 20,
    ...options.overrides,
    delivery,
  });
  await app.start();
  const client = createRpcClient(WebhooksServiceClient, `127.0.0.1:${app.grpcPort()}`, callerSecret);
  return {
    client,
    database,
    emit: async (...events) => handle?.(events),
    async startReplica(more = options) {
      const replica = await startOn(database, uri, more);
      replicas.push(replica);
      return replica;
    },
    deliveries: (endpointId) =>
      database
        .collection<DeliveryRow>('deliveries')
        .find({ endpointId: mongoose.mongo.ObjectId.createFromHexString(endpointId) })
        .sort({ _id: 1 })
        .toArray(),
    async stop() {
      for (const replica of replicas) await replica.stop();
      client.close();
      await app.stop();
    },
  };
}

function envOf(uri: string, database: string): Record<string, string> {
  return {
    GRPC_HOST: '127.0.0.1',
    GRPC_PORT: '0',
    HEALTH_HOST: '127.0.0.1',
    HEALTH_PORT: '0',
    MONGODB_URI: uri,
    MONGODB_DATABASE: database,
    KAFKA_BROKERS: process.env.TEST_KAFKA_BROKERS || '127.0.0.1:1',
    CALLER_SECRET: callerSecret.toString('base64'),
    WEBHOOK_ENCRYPTION_KEYS: encryptionKeys,
    WEBHOOK_ALLOW_LOOPBACK: 'true',
    WEBHOOK_RETRY_SCHEDULE_MS: '50,50,50',
    LOG_LEVEL: 'silent',
  };
}

export function required(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`${name} is not set; the test set-up starts the components`);
  return value;
}

export const settingsOf = (url: string, changes: Partial<WebhookSettings> = {}): WebhookSettings => ({
  url,
  allPassTemplates: true,
  allowedTemplates: [],
  allEventTypes: true,
  allowedEvents: [],
  ...changes,
});

/** Creates an endpoint and turns it on. */
export async function enabledWebhook(
  service: TestService,
  merchantId: string,
  url: string,
  changes: Partial<WebhookSettings> = {},
): Promise<Webhook> {
  const caller = callerOf(merchantId);
  const created = await service.client.createWebhook({ settings: settingsOf(url, changes) }, caller);
  return service.client.enableWebhook({ id: created.id }, caller);
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
