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

/** The caller in a signed value, or undefined when it was forged, altered or is too old. */
export function verifyCaller(signed: string, secret: Buffer, now: number = Date.now()): Caller | undefined {
  const dot = signed.indexOf('.');
  if (dot < 0) return undefined;
  const body = signed.slice(0, dot);
  const given = Buffer.from(signed.slice(dot + 1));
  const expected = Buffer.from(mac(body, secret));
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  const { exp, ...caller } = JSON.parse(Buffer.from(body, 'base64url').toString()) as Caller & { exp: number };
  return exp >= now ? caller : undefined;
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
