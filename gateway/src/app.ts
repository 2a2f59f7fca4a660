import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';
import { type HealthServer, startHealthServer } from '#platform/process/health.ts';
import type { App } from '#platform/process/run.ts';
import { connectRedis } from '#platform/redis/redis.ts';
import { delay } from '#platform/retry.ts';
import { createLogger, type Logger } from '#platform/telemetry/logging.ts';
import { createRegistry } from '#platform/telemetry/metrics.ts';
import { CardLoader } from './card-loader.ts';
import { closeClients, createClients } from './clients.ts';
import type { GatewayConfig } from './config.ts';
import type { Services } from './context.ts';
import { Limiter } from './limits/limiter.ts';
import { RedisCounter } from './limits/redis-counter.ts';
import { RequestLimits } from './limits/request-limits.ts';
import { createAccessLog } from './middleware/access-log.ts';
import { Authenticator } from './middleware/authenticator.ts';
import { createAdmissionMetrics } from './middleware/edge-metrics.ts';
import { createExpress } from './middleware/express-app.ts';
import { createHttpMetrics } from './middleware/http-metrics.ts';
import { InFlight } from './middleware/in-flight.ts';
import { Responder } from './middleware/respond.ts';
import { listenForRevocations } from './middleware/revocations.ts';
import { createHttpServer } from './middleware/server.ts';
import { StaticDocument } from './middleware/static-document.ts';
import { renderDocument } from './openapi/document.ts';
import { renderPage } from './openapi/page.ts';
import { ProgramResolver } from './program-resolver.ts';
import { routes } from './routes/table.ts';
import type { SchemaVersion } from './schemas/service.ts';
import { SigningKeys } from './signing-keys.ts';

/** For closing connections to others, once the last answer is out. */
const closeMsMax = 3_000;

/** What tests replace. */
export interface Overrides {
  readonly logger?: Logger;
  readonly registry?: Registry;
}

export interface GatewayApp extends App {
  /** The port that clients are served on, once started. */
  port(): number;
}

/** Puts the gateway together. Nothing is opened before `start`, and `stop` leaves nothing open. */
export function createApp(config: GatewayConfig, overrides: Overrides = {}): GatewayApp {
  const logger = overrides.logger ?? createLogger('gateway', config.logLevel);
  const registry = overrides.registry ?? createRegistry('gateway');
  const observe = createHttpMetrics(registry);
  let running: Running | undefined;
  return {
    async start() {
      running = await start(config, { logger, registry, observe });
      logger.info({ port: running.port, startMs: Math.round(performance.now()) }, 'ready');
    },
    async stop() {
      await running?.stop();
      running = undefined;
    },
    // Whatever was begun may take its whole time.
    stopMsMax: config.edge.stopDrainMs + config.edge.answerMsMax + closeMsMax,
    port: () => running?.port ?? 0,
  };
}

interface Parts {
  readonly logger: Logger;
  readonly registry: Registry;
  readonly observe: ReturnType<typeof createHttpMetrics>;
}

interface Running {
  readonly port: number;
  stop(): Promise<void>;
}

async function start(config: GatewayConfig, { logger, registry, observe }: Parts): Promise<Running> {
  let ready = false;
  const isReady = () => ready;
  const health: HealthServer = await startHealthServer(config.health, isReady, registry);
  const clients = createClients(config);
  const authenticator = new Authenticator(clients.identity, config.credentialsKnownMsMax);
  const [redis, revocations] = await Promise.all([
    connectRedis(config.redisUrl, logger),
    listenForRevocations(config.redisUrl, logger, {
      revoked: (credentialId) => authenticator.forget(credentialId),
      allRevoked: () => authenticator.forgetAll(),
      live: (isLive) => authenticator.hearsOfChanges(isLive),
    }),
  ]);
  const services: Services = {
    clients,
    programs: new ProgramResolver(clients.loyalty),
    cards: new CardLoader(clients.giftcards),
    signingKeys: new SigningKeys(clients.identity),
    publicUrl: config.publicUrl,
    version: config.version,
    isReady,
    forgetCredential: (credentialId) => authenticator.forget(credentialId),
    ...renderSchema(config.publicUrl),
  };
  const limits = new RequestLimits(config.rateLimits);
  const limiter = new Limiter(new RedisCounter(redis), logger);
  const responder = new Responder(config.edge.corsOrigins);
  const inFlight = new InFlight(config.edge);
  const telling = { logger, observe, accessLog: createAccessLog(logger), metrics: createAdmissionMetrics(registry) };
  const deps = { services, authenticator, limits, limiter, responder, inFlight, ...telling };
  const app = createExpress(routes, deps, config.trustProxy);
  const { server, stop } = createHttpServer(app, responder, config.edge);
  await listen(server, config.listen);
  ready = true;
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      ready = false;
      responder.closeConnections();
      if (config.edge.stopDrainMs > 0) await delay(config.edge.stopDrainMs);
      await stop(config.edge.answerMsMax);
      inFlight.stop();
      limiter.stop();
      await revocations.stop();
      redis.destroy();
      closeClients(clients);
      await health.stop();
    },
  };
}

/** The schema is the same for as long as the process lives: rendered once. */
function renderSchema(publicUrl: string): Pick<Services, 'schemaDocument' | 'docsPage'> {
  const rendered = (version: SchemaVersion) => renderDocument(routes, { version, publicUrl });
  const inJson = (version: SchemaVersion) => new StaticDocument(JSON.stringify(rendered(version)), 'application/json');
  const documents = { '1.0.1': inJson('1.0.1'), '1.0.2': inJson('1.0.2') };
  const page = new StaticDocument(renderPage(rendered('1.0.2')), 'text/html; charset=utf-8');
  return { schemaDocument: (version) => documents[version], docsPage: () => page };
}

function listen(server: Server, { host, port }: { host: string; port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(port, host, () => resolve());
  });
}
