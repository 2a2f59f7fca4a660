import { createHash } from 'node:crypto';
import { unavailable } from '#platform/errors.ts';
import type { RedisClient } from '#platform/redis.ts';
import type { RateLimits } from '../config.ts';

/** A limit's name; its rate is configured. */
export type LimitName = keyof RateLimits;

/** One thing to count a request against. */
export interface LimitSubject {
  readonly limit: LimitName;
  /** Who is counted: an address, an e-mail, a merchant. Stored hashed. */
  readonly subject: string;
}

/** How a limit stands after a request was counted. */
export interface LimitState {
  readonly limit: LimitName;
  readonly quota: number;
  readonly remaining: number;
  /** Seconds until the window ends. */
  readonly resetSeconds: number;
  readonly exceeded: boolean;
}

export const windowSeconds = 60;

// A window begins with its first request. Counts every key in one round trip; answers count and milliseconds left.
const countScript = `
local answer = {}
for i, key in ipairs(KEYS) do
  local count = redis.call('INCR', key)
  local left = redis.call('PTTL', key)
  if left < 0 then
    redis.call('PEXPIRE', key, ARGV[1])
    left = tonumber(ARGV[1])
  end
  answer[i * 2 - 1] = count
  answer[i * 2] = left
end
return answer`;

const countSha = createHash('sha1').update(countScript).digest('hex');

/** Counts requests in Redis, for all gateways together. */
export class RateLimiter {
  readonly #redis: RedisClient;
  readonly #quotas: RateLimits;

  constructor(redis: RedisClient, quotas: RateLimits) {
    this.#redis = redis;
    this.#quotas = quotas;
  }

  /** @throws {AppError} `unavailable` when Redis does not answer: a guard that cannot see lets nobody in. */
  async count(subjects: readonly LimitSubject[]): Promise<LimitState[]> {
    const keys = subjects.map(
      ({ limit, subject }) => `limit:${limit}:${createHash('sha256').update(subject).digest('base64url')}`,
    );
    const counts = await this.#run(keys).catch((error: unknown) => {
      throw unavailable(undefined, error);
    });
    return subjects.map(({ limit }, index) => {
      const quota = this.#quotas[limit];
      const count = counts[index * 2] ?? 0;
      return {
        limit,
        quota,
        remaining: Math.max(0, quota - count),
        resetSeconds: Math.max(1, Math.ceil((counts[index * 2 + 1] ?? 0) / 1000)),
        exceeded: count > quota,
      };
    });
  }

  async #run(keys: string[]): Promise<number[]> {
    const options = { keys, arguments: [String(windowSeconds * 1000)] };
    try {
      return (await this.#redis.evalSha(countSha, options)) as number[];
    } catch (error) {
      if (!String((error as Error).message).startsWith('NOSCRIPT')) throw error;
      return (await this.#redis.eval(countScript, options)) as number[];
    }
  }
}

/** The headers that tell a client where it stands: IETF draft 10, and the older X-RateLimit for the tightest limit. */
export function limitHeaders(states: readonly LimitState[], now: number = Date.now()): Record<string, string> {
  const tightest = states.toSorted((a, b) => a.remaining - b.remaining)[0];
  if (tightest === undefined) return {};
  return {
    'RateLimit-Policy': states.map(({ limit, quota }) => `"${limit}";q=${quota};w=${windowSeconds}`).join(', '),
    RateLimit: states
      .map(({ limit, remaining, resetSeconds }) => `"${limit}";r=${remaining};t=${resetSeconds}`)
      .join(', '),
    'X-RateLimit-Limit': String(tightest.quota),
    'X-RateLimit-Remaining': String(tightest.remaining),
    'X-RateLimit-Reset': String(Math.floor(now / 1000) + tightest.resetSeconds),
  };
}
