import type { Registry } from 'prom-client';
import type { Handlers } from '#platform/grpc/server.ts';
import { eventsOnly } from '#platform/kafka/events-only.ts';
import { createKafka, type DomainEvent, type EventSubscription, subscribeToEvents } from '#platform/kafka/kafka.ts';
import { connectMongo } from '#platform/mongo/mongo.ts';
import type { App } from '#platform/process/run.ts';
import { startServers } from '#platform/process/service.ts';
import { createStopGroup } from '#platform/process/stop-group.ts';
import { delay } from '#platform/retry.ts';
import { createLogger, type Logger } from '#platform/telemetry/logging.ts';
import { createRegistry } from '#platform/telemetry/metrics.ts';
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
import { prepareDatabase } from './store/prepare-database.ts';
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

type EventHandler = (events: readonly DomainEvent[]) => Promise<void>;

/** What tests put in the place of the real thing. */
export interface Overrides {
  readonly logger?: Logger;
  readonly subscribe?: (handle: EventHandler) => EventSubscription;
  readonly resolve?: Resolve;
  readonly pool?: Partial<PoolSettings>;
  readonly subscriptionsMs?: number;
}

export interface WebhooksApp extends App {
  /** Where it listens, once it has started. */
  readonly grpcPort: number;
}

interface Parts {
  readonly webhooks: WebhookStore;
  readonly deliveries: DeliveryStore;
  readonly client: WebhookClient;
  readonly logger: Logger;
  readonly registry: Registry;
  /** How long a change of an endpoint may go unnoticed by a replica; enabling waits for that long. */
  readonly subscriptionsMs: number;
}

const subscriptionsMsDefault = 500;
const leaseMarginMs = 5_000;
const stopGraceMs = 5_000;
/** Tries that are under way have their grace, then what is left is given back. */
const poolStopMsMax = stopGraceMs + 5_000;

/** Wires the webhooks service. Kafka may be down at the start and at any time: events are then late, calls are not. */
export function createApp(config: WebhooksConfig, overrides: Overrides = {}): WebhooksApp {
  const logger = overrides.logger ?? createLogger('webhooks', config.logLevel);
  const resources = new AsyncDisposableStack();
  let grpcPort = 0;
  return {
    async start() {
      const connection = await connectMongo(config.mongo, logger);
      resources.defer(() => connection.close());
      const webhooks = createWebhookStore(connection, config.encryptionKeys);
      const deliveries = createDeliveryStore(connection);
      await prepareDatabase(connection);
      const policy = { allowLoopback: config.allowLoopback };
      const resolve = overrides.resolve ?? createDnsResolve();
      const client = createWebhookClient({ policy, resolve, timeoutMs: config.timeoutMs });
      resources.defer(() => client.close());
      const registry = createRegistry('webhooks');
      const subscriptionsMs = overrides.subscriptionsMs ?? subscriptionsMsDefault;
      const parts = { webhooks, deliveries, client, logger, registry, subscriptionsMs };
      const servers = await startServers<WebhooksServiceServer>(config, {
        definition: WebhooksServiceService,
        handlers: createHandlers(config, parts),
        connection,
        logger,
        registry,
      });
      const group = createStopGroup(logger);
      resources.defer(() => group.stopWith(servers));
      grpcPort = servers.grpcPort;
      servers.setReady();
      const { pool, fanOut } = createDelivery(parts, config, overrides.pool);
      pool.start();
      group.add('deliveries', () => pool.stop(), poolStopMsMax);
      const subscribe = overrides.subscribe ?? subscribeThrough(config, logger, registry);
      const subscription = subscribe(eventsOnly(fanOut, logger));
      group.add('subscription', () => subscription.stop());
    },
    stop: () => resources.disposeAsync(),
    get grpcPort() {
      return grpcPort;
    },
  };
}

function createHandlers(config: WebhooksConfig, parts: Parts): Handlers<WebhooksServiceServer> {
  const { webhooks, deliveries, client, subscriptionsMs } = parts;
  const policy = { allowLoopback: config.allowLoopback };
  const settled = () => delay(subscriptionsMs);
  return {
    createWebhook: createWebhookRpc(createWebhook(webhooks, policy)),
    listWebhooks: listWebhooksRpc(webhooks),
    getWebhook: getWebhookRpc(webhooks),
    updateWebhook: updateWebhookRpc(updateWebhook(webhooks, policy, settled)),
    enableWebhook: enableWebhookRpc(enableWebhook(webhooks, client, settled)),
    disableWebhook: disableWebhookRpc(disableWebhook(webhooks)),
    deleteWebhook: deleteWebhookRpc(deleteWebhook(webhooks, deliveries)),
  };
}

function createDelivery(parts: Parts, config: WebhooksConfig, changes: Partial<PoolSettings> = {}) {
  const { webhooks, deliveries, logger, registry } = parts;
  const metrics = createDeliveryMetrics(registry, deliveries);
  const send = sendDelivery(parts, config.retryScheduleMs);
  const settings: PoolSettings = {
    leaseMs: config.timeoutMs + leaseMarginMs,
    startMsMax: leaseMarginMs / 2,
    pollMs: 500,
    slots: {
      ...{ perEndpointMax: 8, quickMax: 64, slowMax: 192, slowAfterMs: 1_000 },
      ...{ claimsMax: 4, claimMax: 64, heldMax: 2_048 },
    },
    stopGraceMs,
    ...changes,
  };
  const pool = new DeliveryPool({ webhooks, deliveries, send, metrics, logger }, settings);
  const cache = createSubscriptionCache(webhooks, parts.subscriptionsMs);
  const fanOut = fanOutEvents({ cache, deliveries, metrics, wake: (queues) => pool.wake(queues) });
  return { pool, fanOut };
}

function subscribeThrough(config: WebhooksConfig, logger: Logger, registry: Registry) {
  const kafka = createKafka(config.kafka, 'webhooks', logger);
  const group = 'webhooks';
  const options = { prefix: config.kafka.prefix, group, logger, registry };
  return (handle: EventHandler) => subscribeToEvents(kafka, options, handle);
}
