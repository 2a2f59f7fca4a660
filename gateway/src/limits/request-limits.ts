import { hash } from 'node:crypto';
import type { Metering, Principal } from '#proto/identity/v1/identity.ts';
import type { RateLimits } from '../config.ts';
import type { LimitGroup, Meter, Policy, Window } from './policy.ts';
import { type UtcMonth, utcMonthOf } from './utc-month.ts';

/** A configured limit's name; how many requests a minute it lets through is configured. */
export type LimitName = keyof RateLimits;

/** What a route says of its limits. */
export interface RouteLimits {
  /** Not even counted by address: for probes, which must get an answer. */
  readonly unlimited?: boolean;
  /** Besides those that hold on every route: per address, and per key or user. One without `subject` counts the address. */
  readonly limits?: readonly { readonly limit: LimitName; readonly subject?: unknown }[];
}

const minuteMs = 60_000;
const hourMs = 3_600_000;
const addressesMax = 10_000;

/** Says what a request is counted in. */
export class RequestLimits {
  readonly #policies: Readonly<Record<LimitName, Policy>>;
  readonly #now: () => number;
  /** Hashing an address anew for each request would cost more than counting it. */
  readonly #hashes = new Map<string, string>();
  #month: UtcMonth;

  /** @param windowMs how long a configured limit's window is: a minute, but for tests. */
  constructor(quotas: RateLimits, now: () => number = Date.now, windowMs: number = minuteMs) {
    const names = Object.keys(quotas) as LimitName[];
    const policies = names.map((name) => [name, { name: policyName(name), quota: quotas[name], windowMs }]);
    this.#policies = Object.fromEntries(policies) as Record<LimitName, Policy>;
    this.#now = now;
    this.#month = utcMonthOf(now());
  }

  /** What every request of an address is counted in, and what the route adds to it. */
  source(route: RouteLimits, network: string): Window[] {
    if (route.unlimited) return [];
    const windows = [this.subject('perIp', network)];
    for (const { limit, subject } of route.limits ?? []) {
      if (subject === undefined) windows.push(this.subject(limit, network));
    }
    return windows;
  }

  /** What a credential is counted in that turned out to be bad. */
  failedAuthentication(network: string): Window {
    return this.subject('failedAuthenticationPerIp', network);
  }

  /** What an authenticated request is counted in besides its source: an API key by itself, everybody else by user. */
  principal({ metering, credentialId, userId }: Principal): LimitGroup {
    if (metering === undefined)
      return { windows: [{ policy: this.#policies.perUser, key: `limit:per-user:${userId}` }] };
    return {
      windows: [
        window('key-per-minute', metering.perMinute, minuteMs, credentialId),
        window('key-per-hour', metering.perHour, hourMs, credentialId),
      ],
      meter: this.#meter(metering, credentialId),
    };
  }

  /** @param subject who is counted: an address, an e-mail, a merchant. Stored hashed. */
  subject(limit: LimitName, subject: string): Window {
    const policy = this.#policies[limit];
    return { policy, key: `limit:${policy.name}:${this.#hashOf(subject)}` };
  }

  #meter({ perMonth, month, calls }: Metering, credentialId: string): Meter {
    const now = this.#now();
    if (now >= this.#month.endsAt) this.#month = utcMonthOf(now);
    const { name, startsAt, endsAt } = this.#month;
    return {
      usageKey: `usage:{${credentialId}}:${name}`,
      dirtyMember: `${credentialId}:${name}`,
      // What identity said of last month says nothing of this one.
      callsStored: month === name ? Number(calls) : 0,
      policy:
        perMonth === undefined
          ? undefined
          : { name: 'key-per-month', quota: Number(perMonth), windowMs: endsAt - startsAt },
      endsAt,
    };
  }

  #hashOf(subject: string): string {
    const known = this.#hashes.get(subject);
    if (known !== undefined) return known;
    if (this.#hashes.size >= addressesMax) this.#hashes.clear();
    const hashed = hash('sha256', subject, 'base64url');
    this.#hashes.set(subject, hashed);
    return hashed;
  }
}

function window(name: string, quota: number, windowMs: number, credentialId: string): Window {
  return { policy: { name, quota, windowMs }, key: `limit:${name}:${credentialId}` };
}

/** A configured limit's name as clients see it. */
export const policyName = (name: LimitName) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
