import { randomBytes, randomUUID } from 'node:crypto';
import { scopes } from '#platform/scopes.ts';
import { writePrivate } from './data-dir.ts';
import {
  type Demo,
  type DemoAdmin,
  type DemoKeys,
  type DemoMerchant,
  readDemo,
  readDemoMerchants,
} from './demo-file.ts';

const requestTimeoutMs = 30_000;
/** Far above what one machine does, so that a developer can try load with a demo key. */
const demoPlan = { merchantId: '', plan: 'paid', perMinute: 10_000_000, perHour: 600_000_000 };

/** Where to make a demo merchant. */
export interface DemoTarget {
  baseUrl: string;
  /** host:port of the identity service's gRPC. */
  identityAddress: string;
  /** Base64, as the services are given it. */
  callerSecret: string;
}

async function post(baseUrl: string, path: string, body: unknown, token?: string): Promise<Record<string, string>> {
  const response = await fetch(new URL(path, baseUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(requestTimeoutMs),
  });
  if (!response.ok) throw new Error(`POST ${path} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Record<string, string>;
}

/** Not through sign-up, because that mails a link: as an operator, who may call identity directly. */
async function provision(
  target: DemoTarget,
  merchant: { email: string; password: string; name: string; admin?: boolean },
) {
  const { createRpcClient } = await import('#platform/grpc/client.ts');
  const { IdentityServiceClient } = await import('#proto/identity/v1/identity.ts');
  const client = createRpcClient(
    IdentityServiceClient,
    target.identityAddress,
    Buffer.from(target.callerSecret, 'base64'),
  );
  const operator = { kind: 'operator' as const, merchantId: '', userId: '', credentialId: '', ip: '127.0.0.1' };
  try {
    return await client.provisionMerchant(
      { ...merchant, company: merchant.name, plan: demoPlan },
      { ...operator, requestId: randomUUID() },
    );
  } finally {
    client.close();
  }
}

async function createKeys(baseUrl: string, token: string): Promise<DemoKeys> {
  const create = async (name: string, granted: readonly string[], fullAccess = false): Promise<string> => {
    return required(await post(baseUrl, '/v2/keys', { name, scopes: granted, fullAccess }, token), 'key');
  };
  return {
    all: await create('Demo: every scope', scopes),
    fullAccess: await create('Demo: full access', [], true),
    loyaltyRead: await create('Demo: loyalty:read', ['loyalty:read']),
    noScopes: await create('Demo: no scopes', []),
  };
}

function required(answer: Record<string, string>, field: string): string {
  const value = answer[field];
  if (!value) throw new Error(`the answer has no ${field}: ${Object.keys(answer).join(', ')}`);
  return value;
}

/**
 * Makes one merchant with a gift card program, an app key and four API keys, all but the user through the public API.
 *
 * @param target - the stack to make it on
 * @param name - shown to people; the e-mail is made from it and is new each time
 */
export async function createDemoMerchant(target: DemoTarget, name: string): Promise<DemoMerchant> {
  const { baseUrl } = target;
  const { email, password } = newLogin(name);
  const user = await provision(target, { email, password, name });
  const token = required(await post(baseUrl, '/v2/token', { email, password }), 'access_token');
  const appKey = await post(baseUrl, '/v2/appkeys', { name: 'Demo' }, token);
  const program = await post(baseUrl, '/v2/loyalty/programs', { name: `${name} gift cards`, type: 'GIFT_CARD' }, token);
  return {
    merchantId: user.id,
    email,
    password,
    accessToken: required(appKey, 'key'),
    programId: required(program, 'id'),
    keys: await createKeys(baseUrl, token),
  };
}

/**
 * The demo merchant, its rival and an administrator: those of an earlier start, or new ones.
 *
 * @param file - DATA_DIR/demo.json
 */
export async function ensureDemo(file: string, target: DemoTarget): Promise<Demo> {
  const kept = readDemo(file, target.baseUrl);
  if (kept) return kept;
  const merchants = readDemoMerchants(file) ?? (await createDemoMerchants(target));
  const demo = { ...merchants, baseUrl: target.baseUrl, admin: await createDemoAdmin(target) };
  writePrivate(file, demo);
  return demo;
}

async function createDemoMerchants(target: DemoTarget) {
  const [merchant, rival] = await Promise.all([
    createDemoMerchant(target, 'Demo Merchant'),
    createDemoMerchant(target, 'Rival Merchant'),
  ]);
  return { ...merchant, rival };
}

async function createDemoAdmin(target: DemoTarget): Promise<DemoAdmin> {
  const login = newLogin('Demo Administrator');
  await provision(target, { ...login, name: 'Demo Administrator', admin: true });
  return login;
}

/** Its e-mail is made from the name and is new each time. */
function newLogin(name: string): { email: string; password: string } {
  const local = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  const email = `${local}-${randomBytes(3).toString('hex')}@tallycard.example`;
  return { email, password: randomBytes(18).toString('base64url') };
}
