import ipaddr from 'ipaddr.js';
import type { EnvReader } from '#platform/process/env.ts';
import { stopDrainMsMax } from '#platform/process/run.ts';
import type { CorsOrigins } from './middleware/cors.ts';

/** How the gateway treats those who connect to it. */
export interface EdgeConfig {
  /** Origins whose scripts may read answers; none unless named. */
  readonly corsOrigins: CorsOrigins;
  /** Open connections; more are not accepted. */
  readonly connectionsMax: number;
  /** Requests answered at the same time; more get 503. */
  readonly requestsInFlightMax: number;
  /** How long a client may take to send its headers. */
  readonly headersMsMax: number;
  /** How long a client may take to send a whole request. */
  readonly requestMsMax: number;
  /** How long the answer to a whole request may take. */
  readonly answerMsMax: number;
  /** How long a stopping gateway, no longer ready, goes on to take requests, until whoever sends them has noticed. */
  readonly stopDrainMs: number;
}

/** Reads it: `CORS_ORIGINS`, `CONNECTIONS_MAX` and so on; README.md lists them. */
export function readEdgeConfig(reader: EnvReader): EdgeConfig {
  const milliseconds = (name: string, fallback: number, min = 100, max = 3_600_000) =>
    reader.int(name, { fallback, min, max });
  return {
    corsOrigins: readCorsOrigins(reader),
    connectionsMax: reader.int('CONNECTIONS_MAX', { fallback: 10_000, min: 1, max: 1_000_000 }),
    requestsInFlightMax: reader.int('REQUESTS_IN_FLIGHT_MAX', { fallback: 1_000, min: 1, max: 1_000_000 }),
    headersMsMax: milliseconds('HEADERS_TIMEOUT_MS', 15_000),
    requestMsMax: milliseconds('REQUEST_TIMEOUT_MS', 30_000),
    answerMsMax: milliseconds('ANSWER_TIMEOUT_MS', 20_000),
    stopDrainMs: milliseconds('STOP_DRAIN_MS', 5_000, 0, stopDrainMsMax),
  };
}

function readCorsOrigins(reader: EnvReader): CorsOrigins {
  const origins = reader.list('CORS_ORIGINS', '');
  if (origins.length === 1 && origins[0] === '*') return '*';
  const bad = origins.filter((origin) => !isOrigin(origin));
  if (bad.length > 0) {
    const what = 'must be * or origins such as https://shop.example.com, with commas';
    reader.fault(`CORS_ORIGINS ${what}, not "${bad.join()}"`);
  }
  return origins;
}

/** As a browser sends it: no path, no slash at the end, no default port, lowercase. */
function isOrigin(text: string): boolean {
  return /^https?:\/\/[^*]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

/** Reads `TRUST_PROXY`: proxies whose X-Forwarded-For is believed, as a number of hops or by address. */
export function readTrustProxy(reader: EnvReader): number | readonly string[] | undefined {
  const items = reader.list('TRUST_PROXY', '');
  if (items.length === 0) return undefined;
  const hops = Number(items[0]);
  if (items.length === 1 && Number.isInteger(hops) && hops >= 0 && hops <= 16) return hops === 0 ? undefined : hops;
  const bad = items.filter((item) => !['loopback', 'linklocal', 'uniquelocal'].includes(item) && !isNetwork(item));
  if (bad.length > 0)
    reader.fault(`TRUST_PROXY must be hops (0 to 16) or addresses and CIDR ranges, not "${bad.join()}"`);
  return items;
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const isV4 = ipaddr.IPv4.isValidFourPartDecimal(address);
  if (rest.length > 0 || !(isV4 || ipaddr.IPv6.isValid(address))) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (isV4 ? 32 : 128));
}
