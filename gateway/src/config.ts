import { readFileSync } from 'node:fs';
import { type Env, EnvReader } from '#platform/process/env.ts';
import { type EdgeConfig, readEdgeConfig, readTrustProxy } from './edge-config.ts';

/** How many requests a minute each limit lets through. */
export interface RateLimits {
  /** Of one address (IPv6: /64), over all routes. */
  readonly perIp: number;
  /** Of one user, over all its access tokens and app keys; API keys have limits of their own. */
  readonly perUser: number;
  /** Credentials of one address that identity refused. */
  readonly failedAuthenticationPerIp: number;
  readonly tokenPerIp: number;
  readonly tokenPerEmail: number;
  readonly logOutPerIp: number;
  readonly mfaPerUser: number;
  readonly auditLogsPerUser: number;
  readonly signupPerIp: number;
  readonly signupVerifyPerIp: number;
  /** Changes that one user makes to its keys. */
  readonly keyChangesPerUser: number;
  readonly balanceCheckPerIp: number;
  readonly balanceCheckPerMerchant: number;
  /** Checks that name no program, all together. */
  readonly balanceCheckAnyProgram: number;
}

export interface GatewayConfig {
  readonly version: string;
  readonly logLevel: string;
  readonly listen: { readonly host: string; readonly port: number };
  readonly health: { readonly host: string; readonly port: number };
  /** Where clients reach the gateway; without a slash at the end. Links in answers begin with it. */
  readonly publicUrl: string;
  /** gRPC addresses, `host:port`. */
  readonly addresses: {
    readonly identity: string;
    readonly loyalty: string;
    readonly templates: string;
    readonly giftcards: string;
    readonly webhooks: string;
  };
  readonly redisUrl: string;
  readonly callerSecret: Buffer;
  /** Proxies whose X-Forwarded-For is believed: how many hops, or their addresses. Undefined: none. */
  readonly trustProxy: number | readonly string[] | undefined;
  /** How long a credential is believed at most before identity is asked again. */
  readonly credentialsKnownMsMax: number;
  readonly rateLimits: RateLimits;
  readonly edge: EdgeConfig;
}

/**
 * Reads the gateway's variables: `PORT` (8080), `HOST`, `HEALTH_HOST`, `HEALTH_PORT` (9090), `PUBLIC_URL`,
 * `IDENTITY_ADDR`, `LOYALTY_ADDR`, `TEMPLATES_ADDR`, `GIFTCARDS_ADDR`, `WEBHOOKS_ADDR`, `REDIS_URL`, `CALLER_SECRET`,
 * `TRUST_PROXY` (a number of hops, or addresses and CIDR ranges), `CREDENTIALS_KNOWN_S` (30), `LOG_LEVEL`, and requests
 * a minute:
 * `RATE_LIMIT_PER_IP` (6000), `RATE_LIMIT_PER_USER` (6000), `RATE_LIMIT_FAILED_AUTHENTICATION_PER_IP` (300),
 * `RATE_LIMIT_TOKEN_PER_IP` (10), `RATE_LIMIT_TOKEN_PER_EMAIL` (10), `RATE_LIMIT_LOGOUT_PER_IP` (60), `RATE_LIMIT_BALANCE_CHECK_PER_IP` (5),
 * `RATE_LIMIT_BALANCE_CHECK_PER_MERCHANT` (60), `RATE_LIMIT_BALANCE_CHECK_ANY_PROGRAM` (600), `RATE_LIMIT_SIGNUP_PER_IP` (20), `RATE_LIMIT_SIGNUP_VERIFY_PER_IP` (20),
 * `RATE_LIMIT_MFA_PER_USER` (10), `RATE_LIMIT_KEY_CHANGES_PER_USER` (60), `RATE_LIMIT_AUDIT_LOGS_PER_USER` (60).
 * @throws {ConfigError} naming every bad variable.
 */
export function envToConfig(env: Env): GatewayConfig {
  const reader = new EnvReader(env);
  const port = reader.int('PORT', { fallback: 8080, min: 0, max: 65535 });
  const perMinute = (name: string, fallback: number) =>
    reader.int(`RATE_LIMIT_${name}`, { fallback, min: 1, max: 1_000_000 });
  return reader.done({
    version: readVersion(),
    logLevel: reader.string('LOG_LEVEL', 'info'),
    listen: { host: reader.string('HOST', '0.0.0.0'), port },
    health: {
      host: reader.string('HEALTH_HOST', '0.0.0.0'),
      port: reader.int('HEALTH_PORT', { fallback: 9090, min: 0, max: 65535 }),
    },
    publicUrl: reader.httpUrl('PUBLIC_URL', `http://127.0.0.1:${port}`),
    addresses: {
      identity: reader.string('IDENTITY_ADDR'),
      loyalty: reader.string('LOYALTY_ADDR'),
      templates: reader.string('TEMPLATES_ADDR'),
      giftcards: reader.string('GIFTCARDS_ADDR'),
      webhooks: reader.string('WEBHOOKS_ADDR'),
    },
    redisUrl: reader.string('REDIS_URL'),
    // The others are for the services to accept.
    callerSecret: reader.secrets('CALLER_SECRET')[0],
    trustProxy: readTrustProxy(reader),
    credentialsKnownMsMax: 1_000 * reader.int('CREDENTIALS_KNOWN_S', { fallback: 30, min: 1, max: 60 }),
    edge: readEdgeConfig(reader),
    rateLimits: {
      perIp: perMinute('PER_IP', 6_000),
      perUser: perMinute('PER_USER', 6_000),
      failedAuthenticationPerIp: perMinute('FAILED_AUTHENTICATION_PER_IP', 300),
      tokenPerIp: perMinute('TOKEN_PER_IP', 10),
      tokenPerEmail: perMinute('TOKEN_PER_EMAIL', 10),
      logOutPerIp: perMinute('LOGOUT_PER_IP', 60),
      mfaPerUser: perMinute('MFA_PER_USER', 10),
      auditLogsPerUser: perMinute('AUDIT_LOGS_PER_USER', 60),
      signupPerIp: perMinute('SIGNUP_PER_IP', 20),
      signupVerifyPerIp: perMinute('SIGNUP_VERIFY_PER_IP', 20),
      keyChangesPerUser: perMinute('KEY_CHANGES_PER_USER', 60),
      balanceCheckPerIp: perMinute('BALANCE_CHECK_PER_IP', 5),
      balanceCheckAnyProgram: perMinute('BALANCE_CHECK_ANY_PROGRAM', 600),
      balanceCheckPerMerchant: perMinute('BALANCE_CHECK_PER_MERCHANT', 60),
    },
  });
}

function readVersion(): string {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return manifest.version;
}
