import type { Connection } from 'mongoose';
import type { Registry } from 'prom-client';
import type { Handlers } from '#platform/grpc/server.ts';
import { eventsOnly } from '#platform/kafka/events-only.ts';
import { createKafka, type DomainEvent, type EventSubscription, subscribeToEvents } from '#platform/kafka/kafka.ts';
import { createMailSender } from '#platform/mail/mail.ts';
import { createMailQueue, type MailQueue } from '#platform/mail/queue.ts';
import { createLease } from '#platform/mongo/lease.ts';
import { startLeasedLoop } from '#platform/mongo/leased-loop.ts';
import { connectMongo, createTransaction } from '#platform/mongo/mongo.ts';
import { createQuotas } from '#platform/mongo/quota.ts';
import type { App } from '#platform/process/run.ts';
import { startServers } from '#platform/process/service.ts';
import { createStopGroup } from '#platform/process/stop-group.ts';
import { connectRedis, type RedisClient } from '#platform/redis/redis.ts';
import { createLogger, type Logger } from '#platform/telemetry/logging.ts';
import { createRegistry } from '#platform/telemetry/metrics.ts';
import { type IdentityServiceServer, IdentityServiceService } from '#proto/identity/v1/identity.ts';
import type { IdentityConfig } from './config.ts';
import { createPasswordHasher } from './crypto/password-hasher.ts';
import { createSecretFactory } from './crypto/secret-factory.ts';
import { createTokenSigner } from './crypto/token-signer.ts';
import { createTotp } from './crypto/totp.ts';
import { auditEvents } from './domain/audit-events.ts';
import { flushUsage } from './domain/flush-usage.ts';
import type { Clock, IdentityContext, Revocations } from './domain/ports.ts';
import { createAuditRecorder } from './domain/record-audit.ts';
import { createMailMetrics, watchUsage } from './metrics.ts';
import { createActorNames } from './store/actor-names.ts';
import { createApiKeyStore } from './store/api-key-store.ts';
import { createAppKeyStore } from './store/app-key-store.ts';
import { createAuditLogStore } from './store/audit-log-store.ts';
import { createMfaStore } from './store/mfa-store.ts';
import { createMfaTriesStore } from './store/mfa-tries-store.ts';
import { createPlanStore } from './store/plan-store.ts';
import { prepareDatabase } from './store/prepare-database.ts';
import { createSandboxStore } from './store/sandbox-store.ts';
import { createSessionStore } from './store/session-store.ts';
import { createSignupStore } from './store/signup-store.ts';
import { createUsageCounters } from './store/usage-counters.ts';
import { createUsageStore } from './store/usage-store.ts';
import { createUserStore } from './store/user-store.ts';
import { authenticateRpc } from './transport/grpc/authenticate.ts';
import { createAppKeyRpc } from './transport/grpc/create-app-key.ts';
import { createKeyRpc } from './transport/grpc/create-key.ts';
import { createPendingSignupRpc } from './transport/grpc/create-pending-signup.ts';
import { deleteAppKeyRpc } from './transport/grpc/delete-app-key.ts';
import { deleteKeyRpc } from './transport/grpc/delete-key.ts';
import { disableMfaRpc } from './transport/grpc/disable-mfa.ts';
import { enableMfaRpc } from './transport/grpc/enable-mfa.ts';
import { findUserRpc } from './transport/grpc/find-user.ts';
import { freezeKeyRpc } from './transport/grpc/freeze-key.ts';
import { getKeyUsageRpc } from './transport/grpc/get-key-usage.ts';
import { getMerchantPlanRpc } from './transport/grpc/get-merchant-plan.ts';
import { getSigningKeysRpc } from './transport/grpc/get-signing-keys.ts';
import { getUserRpc } from './transport/grpc/get-user.ts';
import { listAppKeysRpc } from './transport/grpc/list-app-keys.ts';
import { listAuditLogsRpc } from './transport/grpc/list-audit-logs.ts';
import { listKeysRpc } from './transport/grpc/list-keys.ts';
import { logInRpc } from './transport/grpc/log-in.ts';
import { logOutRpc } from './transport/grpc/log-out.ts';
import { provisionMerchantRpc } from './transport/grpc/provision-merchant.ts';
import { refreshTokenRpc } from './transport/grpc/refresh-token.ts';
import { resetMfaRpc } from './transport/grpc/reset-mfa.ts';
import { rotateKeyRpc } from './transport/grpc/rotate-key.ts';
import { setMerchantPlanRpc } from './transport/grpc/set-merchant-plan.ts';
import { setUserActiveRpc } from './transport/grpc/set-user-active.ts';
import { unfreezeKeyRpc } from './transport/grpc/unfreeze-key.ts';
import { verifyMfaRpc } from './transport/grpc/verify-mfa.ts';
import { verifySignupRpc } from './transport/grpc/verify-signup.ts';
import { createRevocations } from './transport/redis/credentials-revoked.ts';

type EventHandler = (events: readonly DomainEvent[]) => Promise<void>;

/** What tests put in the place of the real thing. */
export interface Overrides {
  readonly subscribe?: (handle: EventHandler) => EventSubscription;
  readonly logger?: Logger;
  readonly clock?: Clock;
  /** How often counted calls are stored. */
  readonly usageFlushMs?: number;
  /** False: no word at the start, which gateways of all tests on one Redis would hear. */
  readonly tellsAtStart?: boolean;
}

const usageFlushMs = 5_000;

export interface IdentityApp extends App {
  /** Where it listens, once it has started. */
  readonly grpcPort: number;
}

export function createApp(config: IdentityConfig, overrides: Overrides = {}): IdentityApp {
  const logger = overrides.logger ?? createLogger('identity', config.logLevel);
  const resources = new AsyncDisposableStack();
  let grpcPort = 0;
  return {
    async start() {
      const redis = await connectRedis(config.redisUrl, logger);
      resources.defer(() => redis.destroy());
      const revocations = createRevocations(redis, logger);
      resources.defer(() => revocations.stop());
      const connection = await connectMongo(config.mongo, logger);
      resources.defer(() => connection.close());
      const mails = createMailQueue(connection, config.encryptionKeys);
      const now = overrides.clock ?? (() => new Date());
      const context = createContext(config, { connection, redis, revocations, mails, logger, now });
      await prepareDatabase(connection);
      const registry = createRegistry('identity');
      const handlers = createHandlers(context);
      const servers = await startServers<IdentityServiceServer>(config, {
        definition: IdentityServiceService,
        handlers,
        connection,
        logger,
        registry,
      });
      const group = createStopGroup(logger);
      grpcPort = servers.grpcPort;
      const flusher = startLeasedLoop(
        createLease(connection, 'usage-flush'),
        { name: 'usage-flush', everyMs: overrides.usageFlushMs ?? usageFlushMs, logger },
        () => flushUsage(context),
      );
      group.add('usage', () => flusher.stop());
      const sender = createMailSender(config.mail, logger);
      resources.defer(() => sender.close());
      resources.defer(() => group.stopWith(servers));
      mails.startRelay(sender, logger, createMailMetrics(registry, mails));
      watchUsage(registry, context.usageCounters);
      group.add('mails', () => mails.stop());
      // Word of a change that was committed just before a crash.
      if (overrides.tellsAtStart !== false) await context.revocations.publishAll();
      servers.setReady();
      const subscribe = overrides.subscribe ?? subscribeThrough(config, logger, registry);
      const subscription = subscribe(eventsOnly(auditEvents(context), logger));
      group.add('subscription', () => subscription.stop());
    },
    stop: () => resources.disposeAsync(),
    get grpcPort() {
      return grpcPort;
    },
  };
}

/** A group of its own: replicas of identity share the events, and webhooks get them all too. */
function subscribeThrough(config: IdentityConfig, logger: Logger, registry: Registry) {
  const kafka = createKafka(config.kafka, 'identity', logger);
  const group = 'identity-audit';
  const options = { prefix: config.kafka.prefix, group, logger, registry };
  return (handle: EventHandler) => subscribeToEvents(kafka, options, handle);
}

interface Outside {
  connection: Connection;
  redis: RedisClient;
  revocations: Revocations;
  mails: MailQueue;
  logger: Logger;
  now: Clock;
}

function createContext(config: IdentityConfig, outside: Outside): IdentityContext {
  const { connection, redis, revocations, mails, logger, now } = outside;
  const quotas = createQuotas(connection);
  const auditLogs = createAuditLogStore(connection);
  const actorNames = createActorNames(connection);
  return {
    users: createUserStore(connection),
    signups: createSignupStore(connection),
    mails,
    publicUrl: config.publicUrl,
    sessions: createSessionStore(connection),
    appKeys: createAppKeyStore(connection, quotas),
    apiKeys: createApiKeyStore(connection, quotas),
    sandboxes: createSandboxStore(connection),
    plans: createPlanStore(connection),
    planDefaults: config.planDefaults,
    usage: createUsageStore(connection),
    usageCounters: createUsageCounters(redis),
    mfa: createMfaStore(connection, config.encryptionKeys),
    mfaTries: createMfaTriesStore(connection, logger),
    totp: createTotp(),
    passwords: createPasswordHasher(),
    tokens: createTokenSigner(config.jwtPrivateKey, config.jwtFormerPublicKeys),
    secrets: createSecretFactory(config.apiKeyPepper),
    revocations,
    auditLogs,
    actorNames,
    audit: createAuditRecorder(auditLogs, actorNames, now),
    transaction: createTransaction(connection),
    now,
  };
}

function createHandlers(context: IdentityContext): Handlers<IdentityServiceServer> {
  return {
    authenticate: authenticateRpc(context),
    logIn: logInRpc(context),
    refreshToken: refreshTokenRpc(context),
    logOut: logOutRpc(context),
    getUser: getUserRpc(context),
    createAppKey: createAppKeyRpc(context),
    listAppKeys: listAppKeysRpc(context),
    deleteAppKey: deleteAppKeyRpc(context),
    createKey: createKeyRpc(context),
    listKeys: listKeysRpc(context),
    deleteKey: deleteKeyRpc(context),
    rotateKey: rotateKeyRpc(context),
    freezeKey: freezeKeyRpc(context),
    unfreezeKey: unfreezeKeyRpc(context),
    getKeyUsage: getKeyUsageRpc(context),
    setMerchantPlan: setMerchantPlanRpc(context),
    getMerchantPlan: getMerchantPlanRpc(context),
    listAuditLogs: listAuditLogsRpc(context),
    createPendingSignup: createPendingSignupRpc(context),
    verifySignup: verifySignupRpc(context),
    enableMfa: enableMfaRpc(context),
    verifyMfa: verifyMfaRpc(context),
    disableMfa: disableMfaRpc(context),
    resetMfa: resetMfaRpc(context),
    findUser: findUserRpc(context),
    setUserActive: setUserActiveRpc(context),
    getSigningKeys: getSigningKeysRpc(context),
    provisionMerchant: provisionMerchantRpc(context),
  };
}
