import type { Connection } from 'mongoose';
import type { Registry } from 'prom-client';
import { createKafka, type DomainEvent, type EventSubscription, subscribeToEvents } from '#platform/kafka.ts';
import { createLogger, type Logger } from '#platform/logging.ts';
import { createRegistry } from '#platform/metrics.ts';
import { connectMongo, createIndexes } from '#platform/mongo.ts';
import { delay } from '#platform/retry.ts';
import type { App } from '#platform/run.ts';
import { type ServiceServers, startServers } from '#platform/service.ts';
import { type WebhooksServiceServer, WebhooksServiceService } from '#proto/webhooks/v1/webhooks.ts';
import type { WebhooksConfig } from './config.ts';
import { createWebhook } from './domain/create-webhook.ts';
import { deleteWebhook } from './domain/delete-webhook.ts';
import { DeliveryPool, type PoolSettings } from './domain/delivery-pool.ts';
import { disableWebhook } from './domain/disable-webhook.ts';
import { enableWebhook } from './domain/enable-webhook.ts';
import { fanOutEvents } from './domain/fan-out-events.ts';
import type { DeliveryStore, WebhookClient, WebhookStore } from './domain/ports.ts';
import { sendDelivery } from './domain/send-delivery.ts';
import { createSubscriptionCache } from './domain/subscription-cache.ts';
import { updateWebhook } from './domain/update-webhook.ts';
import { createDeliveryStore } from './store/delivery-store.ts';
import { createWebhookStore } from './store/webhook-store.ts';
import { createDeliveryMetrics } from './transport/delivery-metrics.ts';
import { createWebhookRpc } from './transport/grpc/create-webhook.ts';
import { deleteWebhookRpc } from './transport/grpc/delete-webhook.ts';
import { disableWebhookRpc } from './transport/grpc/disable-webhook.ts';
import { enableWebhookRpc } from './transport/grpc/enable-webhook.ts';
import { getWebhookRpc } from './transport/grpc/get-webhook.ts';
import { listWebhooksRpc } from './transport/grpc/list-webhooks.ts';
import { updateWebhookRpc } from './transport/grpc/update-webhook.ts';
import { createDnsResolve, type Resolve } from './transport/http/guarded-lookup.ts';
import { createWebhookClient } from './transport/http/webhook-client.ts';
import { onEvents } from './transport/kafka/events.ts';

type EventHandler = (events: readonly DomainEvent[]) => Promise<void>;

/** What a test puts in the place of the real thing. */
export interface Overrides {
  readonly subscribe?: (handle: EventHandler) => EventSubscription;
  readonly resolve?: Resolve;
  readonly delivery?: Partial<PoolSettings>;
  readonly subscriptionsMs?: number;
}

export interface WebhooksApp extends App {
  /** Where gRPC listens, once started. */
  grpcPort(): number;
}

/** How long a change of an endpoint may go unnoticed by a replica; enabling waits for that long. */
const subscriptionsMsDefault = 500;
const leaseMarginMs = 5_000;

interface Running {
  readonly connection: Connection;
  readonly client: { close(): void };
  readonly pool: DeliveryPool;
  readonly servers: ServiceServers;
  readonly subscription: EventSubscription;
}

/** Wires the webhooks service. Kafka may be down at the start and at any time: events are then late, calls are not. */
export function createApp(config: WebhooksConfig, overrides: Overrides = {}): WebhooksApp {
  const logger = createLogger('webhooks', config.logLevel);
  let running: Running | undefined;
  return {
    grpcPort: () => running?.servers.grpcPort ?? 0,
    async start() {
      const registry = createRegistry('webhooks');
      const connection = await connectMongo(config.mongo, logger);
      const webhooks = createWebhookStore(connection, config.encryptionKeys);
      const deliveries = createDeliveryStore(connection);
      await createIndexes(connection);
      const { timeoutMs } = config;
      const policy = { allowLoopback: config.allowLoopback };
      const client = createWebhookClient({ policy, resolve: overrides.resolve ?? createDnsResolve(), timeoutMs });
      const metrics = createDeliveryMetrics(registry);
      const settings = { ...poolSettings(config), ...overrides.delivery };
      const send = sendDelivery({ webhooks, client, logger }, config.retryScheduleMs);
      const pool = new DeliveryPool({ webhooks, deliveries, send, metrics, logger }, settings);
      const subscriptionsMs = overrides.subscriptionsMs ?? subscriptionsMsDefault;
      const settled = () => delay(subscriptionsMs);
      const servers = await serve(config, { webhooks, deliveries, client, settled, logger, registry });
      servers.setReady();
      pool.start();
      const cache = createSubscriptionCache(webhooks, subscriptionsMs);
      const fanOut = fanOutEvents({ cache, deliveries, metrics, wake: (queues) => pool.wake(queues) });
      const subscribe = overrides.subscribe ?? subscribeThrough(config, logger);
      running = { connection, client, pool, servers, subscription: subscribe(onEvents(fanOut, logger)) };
    },
    async stop() {
      if (running === undefined) return;
      const { connection, client, pool, servers, subscription } = running;
      running = undefined;
      await subscription.stop();
      await Promise.all([servers.stop(), pool.stop()]);
      client.close();
      await connection.close();
    },
  };
}

function poolSettings(config: WebhooksConfig): PoolSettings {
  return {
    leaseMs: config.timeoutMs + leaseMarginMs,
    pollMs: 500,
    startMsMax: leaseMarginMs / 2,
    slots: {
      ...{ perEndpointMax: 8, quickMax: 64, slowMax: 192, slowAfterMs: 1_000 },
      ...{ claimsMax: 16, claimMax: 64, heldMax: 2_048 },
    },
    stopGraceMs: 5_000,
  };
}

function subscribeThrough(config: WebhooksConfig, logger: Logger) {
  const kafka = createKafka(config.kafka, 'webhooks', logger);
  const options = { prefix: config.kafka.prefix, group: 'webhooks', logger };
  return (handle: EventHandler) => subscribeToEvents(kafka, options, handle);
}

function serve(
  config: WebhooksConfig,
  parts: {
    webhooks: WebhookStore;
    deliveries: DeliveryStore;
    client: WebhookClient;
    settled: () => Promise<void>;
    logger: Logger;
    registry: Registry;
  },
): Promise<ServiceServers> {
  const { webhooks, deliveries, client, settled, logger, registry } = parts;
  const policy = { allowLoopback: config.allowLoopback };
  return startServers<WebhooksServiceServer>(config, {
    definition: WebhooksServiceService,
    handlers: {
      createWebhook: createWebhookRpc(createWebhook(webhooks, policy)),
      listWebhooks: listWebhooksRpc(webhooks),
      getWebhook: getWebhookRpc(webhooks),
      updateWebhook: updateWebhookRpc(updateWebhook(webhooks, policy, settled)),
      enableWebhook: enableWebhookRpc(enableWebhook(webhooks, client, settled)),
      disableWebhook: disableWebhookRpc(disableWebhook(webhooks)),
      deleteWebhook: deleteWebhookRpc(deleteWebhook(webhooks, deliveries)),
    },
    logger,
    registry,
  });
}
