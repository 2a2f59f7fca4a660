// Stands in for identity and templates in a process of its own: every key is known, every template is the same one.
import type { ServiceDefinition } from '@grpc/grpc-js';
import { startGrpcServer } from '#platform/grpc/server.ts';
import { createLogger } from '#platform/telemetry/logging.ts';
import { IdentityServiceService, type Principal } from '#proto/identity/v1/identity.ts';
import { type Template, TemplatesServiceService } from '#proto/templates/v1/templates.ts';

const noBound = 2_000_000_000;
const at = new Date('2026-11-21T10:00:00.123Z');
const template: Template = {
  id: 'e00000000000000000000001',
  merchantId: 'a00000000000000000000001',
  name: 'Spring',
  passStyle: 'coupon',
  createdAt: at,
  updatedAt: at,
};

/** The key `bench-17` is number 17. */
function principalOf(credential: string): Principal {
  return {
    merchantId: template.merchantId,
    userId: template.merchantId,
    kind: 'api_key',
    credentialId: Number(credential.slice('bench-'.length)).toString(16).padStart(24, '0'),
    scopes: ['templates:read'],
    fullAccess: false,
    expiresAt: undefined,
    frozen: false,
    sandbox: false,
    admin: false,
    metering: { perMinute: noBound, perHour: noBound, perMonth: BigInt(noBound), month: '', calls: 0n },
  };
}

const handlers = {
  authenticate: async ({ credential }: { credential: string }) => principalOf(credential),
  getTemplate: async () => template,
};

async function serve(definition: ServiceDefinition, rpc: keyof typeof handlers): Promise<number> {
  const { port } = await startGrpcServer<Record<string, never>>(definition, { [rpc]: handlers[rpc] } as never, {
    host: '127.0.0.1',
    port: 0,
    callerSecret: Buffer.from(String(process.env.CALLER_SECRET), 'base64'),
    logger: createLogger('no-op', 'warn'),
    metrics: { observe: () => undefined },
  });
  return port;
}

const identity = await serve(IdentityServiceService, 'authenticate');
const templates = await serve(TemplatesServiceService, 'getTemplate');
process.once('disconnect', () => process.exit(0));
process.send?.({ identity, templates });
