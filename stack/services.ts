import { resolve } from 'node:path';
import { longRunningFlags } from './node-flags.mjs';
import { repoRoot } from './paths.ts';
import { httpAnswers } from './probes.ts';
import type { Secrets } from './secrets.ts';
import type { ProcessSpec } from './supervised-process.ts';

const readyTimeoutMs = 60_000;
const stopTimeoutMs = 15_000;
const gatewayName = 'gateway';
/** Makes glibc give freed memory back: without it a log-in leaves the 100 MB that hashing the password took. */
const mallocSettings = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '131072', MALLOC_MMAP_THRESHOLD_: '131072' };
/** Meant for the process that set them, and wrong for a service. */
const notPassedOn = ['NODE_OPTIONS', 'NODE_ENV', 'JEST_WORKER_ID', 'TALLYCARD_STARTED_AT_MS', 'PORT', 'HOST'];

/** One of our own processes. */
export interface ServiceDefinition {
  name: string;
  /** Its entry, seen from the top of the repository. */
  entry: string;
  /** The secrets it may see besides CALLER_SECRET. */
  secrets: (keyof Secrets)[];
  /** What else it is told. */
  env?: Record<string, string>;
}

function service(name: string, secrets: (keyof Secrets)[], env: Record<string, string> = {}): ServiceDefinition {
  return { name, entry: `services/${name}/src/main.ts`, secrets, env };
}

/** On one machine every client comes from one address, and mostly as one user. */
const oneClientLimits = {
  RATE_LIMIT_PER_IP: '1000000',
  RATE_LIMIT_PER_USER: '1000000',
  RATE_LIMIT_FAILED_AUTHENTICATION_PER_IP: '1000000',
};

/** The five services and the gateway. */
export const allServices: ServiceDefinition[] = [
  service('identity', ['JWT_PRIVATE_KEY', 'API_KEY_PEPPER', 'IDENTITY_ENCRYPTION_KEYS']),
  service('loyalty', []),
  service('templates', []),
  service('giftcards', ['CARD_ENCRYPTION_KEYS', 'CARD_HMAC_KEY']),
  // On one machine the receiver of a developer's webhooks is on loopback.
  service('webhooks', ['WEBHOOK_ENCRYPTION_KEYS'], { WEBHOOK_ALLOW_LOOPBACK: 'true' }),
  { name: gatewayName, entry: 'gateway/src/main.ts', secrets: [], env: oneClientLimits },
];

/** Whether this is the process that users talk to. */
export function isGateway(definition: ServiceDefinition): boolean {
  return definition.name === gatewayName;
}

/** What all services are told about the stack they run in. */
export interface ServiceSurroundings {
  secrets: Secrets;
  mongodbUri: string;
  redisUrl: string;
  kafkaBrokers: string;
  /** `<name>Grpc` and `<name>Health` of each service, and `gateway`. */
  ports: Record<string, number>;
  /** Where the gateway listens. */
  host: string;
  /** Where mails are written to while no `SMTP_URL` is given. */
  mailDir: string;
  /** The user's environment: passed on, and stronger than our defaults. */
  userEnv: NodeJS.ProcessEnv;
  /** Stronger than everything. */
  env: Record<string, string>;
}

/** Where this stack's mails are written to; undefined when they are sent. */
export function mailDirOf(userEnv: NodeJS.ProcessEnv, usual: string): string | undefined {
  return userEnv.SMTP_URL ? undefined : userEnv.MAIL_DIR || usual;
}

function publicUrl({ ports, userEnv }: ServiceSurroundings): string {
  return userEnv.PUBLIC_URL || `http://127.0.0.1:${ports.gateway}`;
}

/** Of the services that send mails with links. */
function mailEnv(around: ServiceSurroundings): Record<string, string> {
  const dir = mailDirOf(around.userEnv, around.mailDir);
  return { PUBLIC_URL: publicUrl(around), ...(dir !== undefined && { MAIL_DIR: dir }) };
}

function gatewayEnv(around: ServiceSurroundings): Record<string, string> {
  const { ports, host, redisUrl } = around;
  const addresses = allServices
    .filter((definition) => !isGateway(definition))
    .map(({ name }) => {
      return [`${name.toUpperCase()}_ADDR`, `127.0.0.1:${ports[`${name}Grpc`]}`];
    });
  return {
    PORT: String(ports.gateway),
    HOST: host,
    PUBLIC_URL: publicUrl(around),
    REDIS_URL: redisUrl,
    ...Object.fromEntries(addresses),
  };
}

function backendEnv({ name }: ServiceDefinition, around: ServiceSurroundings): Record<string, string> {
  const prefix = around.userEnv.MONGODB_DATABASE_PREFIX || 'tallycard';
  return {
    GRPC_HOST: '127.0.0.1',
    GRPC_PORT: String(around.ports[`${name}Grpc`]),
    MONGODB_URI: around.mongodbUri,
    MONGODB_DATABASE: `${prefix}_${name}`,
    REDIS_URL: around.redisUrl,
    KAFKA_BROKERS: around.kafkaBrokers,
    KAFKA_PREFIX: around.userEnv.KAFKA_PREFIX ?? '',
    ...(name === 'identity' && mailEnv(around)),
  };
}

/** What the stack itself tells a service; with the user's environment below it that is all a service gets. */
export function contractEnv(definition: ServiceDefinition, around: ServiceSurroundings): Record<string, string> {
  const secrets = definition.secrets.map((name) => [name, around.secrets[name]]);
  return {
    NODE_ENV: 'production',
    HEALTH_HOST: '127.0.0.1',
    HEALTH_PORT: String(around.ports[`${definition.name}Health`]),
    CALLER_SECRET: around.secrets.CALLER_SECRET,
    ...(isGateway(definition) ? gatewayEnv(around) : backendEnv(definition, around)),
    ...Object.fromEntries(secrets),
    ...around.env,
  };
}

/** How a service is run on this stack. */
export function serviceProcess(definition: ServiceDefinition, around: ServiceSurroundings): ProcessSpec {
  const passedOn = Object.entries(around.userEnv).filter(([name]) => !notPassedOn.includes(name));
  // Nothing on one machine needs time to notice that a process stops.
  const defaults = { LOG_LEVEL: 'info', STOP_DRAIN_MS: '0', ...mallocSettings, ...definition.env };
  const healthPort = around.ports[`${definition.name}Health`] ?? 0;
  return {
    name: definition.name,
    command: process.execPath,
    args: [...longRunningFlags, resolve(repoRoot, definition.entry)],
    env: { ...defaults, ...Object.fromEntries(passedOn), ...contractEnv(definition, around) },
    cwd: repoRoot,
    isReady: () => httpAnswers(healthPort, '/readyz'),
    readyTimeoutMs,
    stopTimeoutMs,
  };
}
