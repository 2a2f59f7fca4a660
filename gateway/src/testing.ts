import { randomBytes } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import type { ServiceDefinition } from '@grpc/grpc-js';
import { AppError } from '#platform/errors.ts';
import type { Caller } from '#platform/grpc/caller.ts';
import { type GrpcServer, startGrpcServer } from '#platform/grpc/server.ts';
import { createTestLogger, testComponent } from '#platform/testing.ts';
import { GiftCardsServiceService } from '#proto/giftcards/v1/giftcards.ts';
import { IdentityServiceService, type Principal } from '#proto/identity/v1/identity.ts';
import { LoyaltyServiceService } from '#proto/loyalty/v1/loyalty.ts';
import { TemplatesServiceService } from '#proto/templates/v1/templates.ts';
import { WebhooksServiceService } from '#proto/webhooks/v1/webhooks.ts';
import { createApp } from './app.ts';
import type { GatewayConfig, RateLimits } from './config.ts';
import type { EdgeConfig } from './edge-config.ts';
import { fakeAnswers, ids, type Rpcs } from './testing-answers.ts';

export { ids };

/** One call that reached a fake service. */
export interface Call {
  readonly rpc: string;
  readonly request: Record<string, unknown>;
  readonly caller: Caller;
}

/** What came back over HTTP. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  /** The body as it came, packed or not. */
  readonly bytes: Buffer;
  readonly body: Record<string, unknown>;
}

export interface SendOptions {
  readonly token?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The client's own address; any of 127.0.0.0/8. */
  readonly localAddress?: string;
}

/** A gateway in front of services that answer as a test says. */
export interface TestGateway {
  readonly port: number;
  readonly calls: Call[];
  readonly logs: readonly string[];
  /** Replaces how RPCs answer; {@link TestGateway.reset} brings the usual answers back. */
  answer(rpcs: Partial<Rpcs>): void;
  reset(): void;
  send(method: string, path: string, options?: SendOptions): Promise<Reply>;
  stop(): Promise<void>;
}

const definitions: Readonly<Record<keyof GatewayConfig['addresses'], ServiceDefinition>> = {
  identity: IdentityServiceService,
  loyalty: LoyaltyServiceService,
  templates: TemplatesServiceService,
  giftcards: GiftCardsServiceService,
  webhooks: WebhooksServiceService,
};

export const noLimits: RateLimits = {
  perIp: 100_000,
  perUser: 100_000,
  failedAuthenticationPerIp: 100_000,
  tokenPerIp: 100_000,
  tokenPerEmail: 100_000,
  logOutPerIp: 100_000,
  mfaPerUser: 100_000,
  auditLogsPerUser: 100_000,
  signupPerIp: 100_000,
  signupVerifyPerIp: 100_000,
  keyChangesPerUser: 100_000,
  balanceCheckPerIp: 100_000,
  balanceCheckPerMerchant: 100_000,
  balanceCheckAnyProgram: 100_000,
};

const testEdge: EdgeConfig = {
  corsOrigins: [],
  connectionsMax: 1_000,
  requestsInFlightMax: 1_000,
  headersMsMax: 15_000,
  requestMsMax: 30_000,
  answerMsMax: 20_000,
  stopDrainMs: 0,
};

/** What a test sets of the configuration; of `edge` only what it is about. */
export type TestOverrides = Partial<Omit<GatewayConfig, 'edge'>> & { readonly edge?: Partial<EdgeConfig> };

const ignored = { observe: () => undefined };

/**
 * A Redis database of the gateway's tests: what they count is not counted against the stack that all tests share.
 * @param database another one for a test file that would disturb the others, or be disturbed.
 */
export function testRedisUrl(database = 9): string {
  const url = new URL(testComponent('TEST_REDIS_URL'));
  url.pathname = `/${database}`;
  return url.href;
}

/** Starts one on free ports. Credentials: `user`, `admin`, `app`, `full` (a key), `key:<scopes, comma-separated>`, all of one merchant. */
export async function startTestGateway({ edge, ...overrides }: TestOverrides = {}): Promise<TestGateway> {
  const callerSecret = randomBytes(32);
  const logger = createTestLogger();
  const calls: Call[] = [];
  const usual = { ...fakeAnswers(), authenticate };
  let answers: Partial<Rpcs> = usual;
  const servers: GrpcServer[] = [];
  const addresses = {} as Record<keyof GatewayConfig['addresses'], string>;
  for (const [name, definition] of Object.entries(definitions) as [keyof typeof definitions, ServiceDefinition][]) {
    const handlers = Object.keys(definition).map((rpc) => [
      rpc,
      async (request: Record<string, unknown>, { caller }: { caller: Caller }) => {
        calls.push({ rpc, request, caller });
        const handler = answers[rpc as keyof Rpcs] as ((request: unknown, context: unknown) => unknown) | undefined;
        if (handler === undefined) throw new Error(`the test says nothing of ${rpc}`);
        return handler(request, { caller });
      },
    ]);
    const server = await startGrpcServer<Record<string, never>>(definition, Object.fromEntries(handlers), {
      host: '127.0.0.1',
      port: 0,
      callerSecret,
      logger,
      metrics: ignored,
    });
    servers.push(server);
    addresses[name] = `127.0.0.1:${server.port}`;
  }
  const app = createApp(
    {
      version: '0.0.0-test',
      logLevel: 'warn',
      listen: { host: '127.0.0.1', port: 0 },
      health: { host: '127.0.0.1', port: 0 },
      publicUrl: 'https://api.example.com',
      addresses,
      redisUrl: testRedisUrl(),
      callerSecret,
      trustProxy: undefined,
      credentialsKnownMsMax: 30_000,
      rateLimits: noLimits,
      edge: { ...testEdge, ...edge },
      ...overrides,
    },
    { logger },
  );
  await app.start();
  const port = app.port();
  return {
    port,
    calls,
    logs: logger.lines,
    answer: (rpcs) => {
      answers = { ...answers, ...rpcs };
    },
    reset: () => {
      answers = usual;
      calls.length = 0;
    },
    send: (method, path, options) => send(port, method, path, options),
    async stop() {
      await app.stop();
      await Promise.all(servers.map((server) => server.stop(1_000)));
    },
  };
}

const authenticate: Rpcs['authenticate'] = async ({ credential }) => {
  const colon = credential.indexOf(':');
  const kind = colon < 0 ? credential : credential.slice(0, colon);
  const scopes =
    colon < 0
      ? []
      : credential
          .slice(colon + 1)
          .split(',')
          .filter((scope) => scope !== '');
  if (kind === 'user') return principal({ kind: 'user', credentialId: 'f00000000000000000000001' });
  if (kind === 'admin') return principal({ kind: 'user', credentialId: 'f00000000000000000000005', admin: true });
  if (kind === 'app') return principal({ kind: 'app_key', credentialId: 'f00000000000000000000002' });
  if (kind === 'full')
    return principal({ kind: 'api_key', credentialId: 'f00000000000000000000003', fullAccess: true });
  if (kind === 'key') return principal({ kind: 'api_key', credentialId: 'f00000000000000000000004', scopes });
  throw new AppError('unauthenticated', 'unauthorized', 'A valid Bearer credential is needed.');
};

export function principal(fields: Partial<Principal>): Principal {
  return {
    merchantId: ids.merchant,
    userId: ids.merchant,
    kind: 'user',
    credentialId: 'f00000000000000000000001',
    scopes: [],
    fullAccess: false,
    expiresAt: undefined,
    frozen: false,
    sandbox: false,
    admin: false,
    metering: undefined,
    ...fields,
  };
}

function send(port: number, method: string, path: string, options: SendOptions = {}): Promise<Reply> {
  const { token, body } = options;
  const payload = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const chunked = options.headers?.['transfer-encoding'] !== undefined;
  const headers: Record<string, string> = {
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(payload !== undefined && { 'content-type': 'application/json' }),
    ...(payload !== undefined && !chunked && { 'content-length': String(Buffer.byteLength(payload)) }),
    ...options.headers,
  };
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { host: '127.0.0.1', port, method, path, headers, localAddress: options.localAddress, agent: false },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const bytes = Buffer.concat(chunks);
          const text = bytes.toString();
          const { 'content-type': type = '', 'content-encoding': coding } = response.headers;
          const json = /json/.test(type) && text !== '' && coding === undefined;
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers as Reply['headers'],
            text,
            bytes,
            body: json ? (JSON.parse(text) as Reply['body']) : {},
          });
        });
      },
    );
    request.on('error', reject);
    request.end(payload);
  });
}
