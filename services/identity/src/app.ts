import type { Connection } from 'mongoose';
import type { Handlers } from '#platform/grpc-server.ts';
import { createLogger, type Logger } from '#platform/logging.ts';
import { createRegistry } from '#platform/metrics.ts';
import { connectMongo, createIndexes } from '#platform/mongo.ts';
import { createQuotas } from '#platform/quota.ts';
import { connectRedis, type RedisClient } from '#platform/redis.ts';
import type { App } from '#platform/run.ts';
import { startServers } from '#platform/service.ts';
import { type IdentityServiceServer, IdentityServiceService } from '#proto/identity/v1/identity.ts';
import type { IdentityConfig } from './config.ts';
import { createPasswordHasher } from './crypto/password-hasher.ts';
import { createSecretFactory } from './crypto/secret-factory.ts';
import { createTokenSigner } from './crypto/token-signer.ts';
import type { Clock, IdentityContext } from './domain/ports.ts';
import { createApiKeyStore } from './store/api-key-store.ts';
import { createAppKeyStore } from './store/app-key-store.ts';
import { createSessionStore } from './store/session-store.ts';
import { createUserStore } from './store/user-store.ts';
import { authenticateHandler } from './transport/grpc/authenticate.ts';
import { createAppKeyHandler } from './transport/grpc/create-app-key.ts';
import { createKeyHandler } from './transport/grpc/create-key.ts';
import { deleteAppKeyHandler } from './transport/grpc/delete-app-key.ts';
import { deleteKeyHandler } from './transport/grpc/delete-key.ts';
import { getUserHandler } from './transport/grpc/get-user.ts';
import { listAppKeysHandler } from './transport/grpc/list-app-keys.ts';
import { listKeysHandler } from './transport/grpc/list-keys.ts';
import { logInHandler } from './transport/grpc/log-in.ts';
import { provisionMerchantHandler } from './transport/grpc/provision-merchant.ts';
import { refreshTokenHandler } from './transport/grpc/refresh-token.ts';
import { createRevocations } from './transport/redis/credentials-revoked.ts';

/** What tests put in the place of the real thing. */
export interface Overrides {
  readonly logger?: Logger;
  readonly now?: Clock;
}

export interface IdentityApp extends App {
  /** Where it listens, once it has started. */
  grpcPort(): number;
}

export function createApp(config: IdentityConfig, overrides: Overrides = {}): IdentityApp {
  const logger = overrides.logger ?? createLogger('identity', config.logLevel);
  const resources = new AsyncDisposableStack();
  let grpcPort = 0;
  return {
    async start() {
      const redis = await connectRedis(config.redisUrl, logger);
      resources.defer(() => redis.destroy());
      const connection = await connectMongo(config.mongo, logger);
      resources.defer(() => connection.close());
      const context = createContext(config, { connection, redis, logger, now: overrides.now ?? (() => new Date()) });
      await createIndexes(connection);
      const registry = createRegistry('identity');
      const handlers = createHandlers(context);
      const servers = await startServers<IdentityServiceServer>(config, {
        definition: IdentityServiceService,
        handlers,
        logger,
        registry,
      });
      resources.defer(() => servers.stop());
      grpcPort = servers.grpcPort;
      servers.setReady();
      logger.info({ grpcPort }, 'identity is ready');
    },
    stop: () => resources.disposeAsync(),
    grpcPort: () => grpcPort,
  };
}

interface Outside {
  connection: Connection;
  redis: RedisClient;
  logger: Logger;
  now: Clock;
}

function createContext(config: IdentityConfig, { connection, redis, logger, now }: Outside): IdentityContext {
  const quotas = createQuotas(connection);
  return {
    users: createUserStore(connection),
    sessions: createSessionStore(connection),
    appKeys: createAppKeyStore(connection, quotas),
    apiKeys: createApiKeyStore(connection, quotas),
    passwords: createPasswordHasher(),
    tokens: createTokenSigner(config.jwtPrivateKey),
    secrets: createSecretFactory(config.apiKeyPepper),
    revocations: createRevocations(redis, logger),
    now,
  };
}

function createHandlers(context: IdentityContext): Handlers<IdentityServiceServer> {
  return {
    authenticate: authenticateHandler(context),
    logIn: logInHandler(context),
    refreshToken: refreshTokenHandler(context),
    getUser: getUserHandler(context),
    createAppKey: createAppKeyHandler(context),
    listAppKeys: listAppKeysHandler(context),
    deleteAppKey: deleteAppKeyHandler(context),
    createKey: createKeyHandler(context),
    listKeys: listKeysHandler(context),
    deleteKey: deleteKeyHandler(context),
    provisionMerchant: provisionMerchantHandler(context),
  };
}
