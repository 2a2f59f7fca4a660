import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';

/** Who a call is made for, as the gateway established it. */
export interface Caller {
  /** `user`, `app_key` and `api_key` act for a merchant; `anonymous` is a public route; `operator` is the platform team. */
  readonly kind: 'user' | 'app_key' | 'api_key' | 'anonymous' | 'operator';
  /** 24-hex id; empty for anonymous and operator callers. */
  readonly merchantId: string;
  readonly userId: string;
  /** Session, app key or API key. */
  readonly credentialId: string;
  readonly requestId: string;
  /** The client's address as the edge saw it. */
  readonly ip: string;
  /** The client's program as it calls itself, for requests that change something: at most 200 printable characters. */
  readonly userAgent?: string;
}

const lifetimeMs = 60_000;

/** Signs a caller for the gRPC metadata `tallycard-caller`: base64url(JSON).base64url(HMAC-SHA-256), live for one minute. */
export function signCaller(caller: Caller, secret: Buffer, now: number = Date.now()): string {
  const body = Buffer.from(JSON.stringify({ ...caller, exp: now + lifetimeMs })).toString('base64url');
  return `${body}.${mac(body, secret)}`;
}

/**
 * The caller in a signed value, or undefined when it was forged, altered or is too old.
 * @param secrets - what may have signed it: more than one while the secret is being changed
 */
export function verifyCaller(signed: string, secrets: readonly Buffer[], now: number = Date.now()): Caller | undefined {
  const dot = signed.indexOf('.');
  if (dot < 0) return undefined;
  const body = signed.slice(0, dot);
  const given = signed.slice(dot + 1);
  if (!secrets.some((secret) => isSame(given, mac(body, secret)))) return undefined;
  const { exp, ...caller } = JSON.parse(Buffer.from(body, 'base64url').toString()) as Caller & { exp: number };
  return exp >= now ? caller : undefined;
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function mac(body: string, secret: Buffer): string {
  return createHmac('sha256', keyOf(secret)).update(body).digest('base64url');
}

/** Taking a secret over into OpenSSL anew would be a third of a signature. */
const keys = new WeakMap<Buffer, KeyObject>();

function keyOf(secret: Buffer): KeyObject {
  const known = keys.get(secret);
  if (known !== undefined) return known;
  const key = createSecretKey(secret);
  keys.set(secret, key);
  return key;
}
