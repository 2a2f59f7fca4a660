import type { ServiceDefinition } from '@grpc/grpc-js';
import type { Connection } from 'mongoose';
import type { Registry } from 'prom-client';
import { type GrpcServer, type Handlers, startGrpcServer } from '../grpc/server.ts';
import type { MongoConfig } from '../mongo/mongo.ts';
import { clientOf, watchMongo } from '../mongo/readiness.ts';
import { delay } from '../retry.ts';
import type { Logger } from '../telemetry/logging.ts';
import { createRpcMetrics } from '../telemetry/metrics.ts';
import type { EnvReader } from './env.ts';
import { type HealthServer, startHealthServer } from './health.ts';
import { stopDrainMsMax } from './run.ts';

/** What every service is told. */
export interface ServiceConfig {
  readonly logLevel: string;
  readonly grpc: { readonly host: string; readonly port: number };
  readonly health: { readonly host: string; readonly port: number };
  readonly mongo: MongoConfig;
  readonly callerSecret: Buffer;
  /** Accepted too, while the secret is being changed. */
  readonly callerOtherSecrets?: readonly Buffer[];
  /** How long a stopping service, no longer ready, goes on to take calls, until its clients have noticed; 0 unless given. */
  readonly stopDrainMs?: number;
}

/** Reads the variables that all services share. */
export function readServiceConfig(env: EnvReader, service: string): ServiceConfig {
  const [callerSecret, ...callerOtherSecrets] = env.secrets('CALLER_SECRET');
  return {
    logLevel: env.string('LOG_LEVEL', 'info'),
    grpc: {
      host: env.string('GRPC_HOST', '0.0.0.0'),
      port: env.int('GRPC_PORT', { fallback: 50051, min: 0, max: 65535 }),
    },
    health: {
      host: env.string('HEALTH_HOST', '0.0.0.0'),
      port: env.int('HEALTH_PORT', { fallback: 9090, min: 0, max: 65535 }),
    },
    mongo: { uri: env.string('MONGODB_URI'), database: env.string('MONGODB_DATABASE', `tallycard_${service}`) },
    ...{ callerSecret, callerOtherSecrets },
    stopDrainMs: env.int('STOP_DRAIN_MS', { fallback: 5_000, min: 0, max: stopDrainMsMax }),
  };
}

/** The two servers that every service runs. */
export interface ServiceServers {
  readonly grpcPort: number;
  /** From the first call on `/readyz` answers 200 and gRPC health SERVING, while MongoDB is there. */
  setReady(): void;
  /** Readiness goes off, clients get time to notice, calls in flight finish, both servers close. */
  stop(): Promise<void>;
}

const finishMsMax = 10_000;

/** What a service serves. */
export interface Served<Service> {
  readonly definition: ServiceDefinition;
  readonly handlers: Handlers<Service>;
  readonly connection: Connection;
  readonly logger: Logger;
  readonly registry: Registry;
}

/** Starts the health server first, then gRPC. Not ready until {@link ServiceServers.setReady}. */
export async function startServers<Service>(config: ServiceConfig, served: Served<Service>): Promise<ServiceServers> {
  const { logger, registry } = served;
  let ready = false;
  let usable = true;
  const isReady = () => ready && usable;
  const health: HealthServer = await startHealthServer(config.health, isReady, registry);
  const grpc: GrpcServer = await startGrpcServer<Service>(served.definition, served.handlers, {
    ...config.grpc,
    callerSecret: config.callerSecret,
    callerOtherSecrets: config.callerOtherSecrets,
    logger,
    metrics: createRpcMetrics(registry),
  });
  watchMongo(clientOf(served.connection), (now) => {
    usable = now;
    grpc.setServing(isReady());
    logger.warn({ ready: isReady() }, now ? 'MongoDB is there again' : 'MongoDB has been away for a while');
  });
  return {
    grpcPort: grpc.port,
    setReady: () => {
      ready = true;
      grpc.setServing(isReady());
      logger.info({ grpcPort: grpc.port, startMs: Math.round(performance.now()) }, 'ready');
    },
    async stop() {
      ready = false;
      grpc.setServing(false);
      if (config.stopDrainMs) await delay(config.stopDrainMs);
      await grpc.stop(finishMsMax);
      await health.stop();
    },
  };
}
