import Redlock, { type RedlockClient } from 'redlock';
import { unavailable } from '../errors.ts';
import type { RedisClient } from './redis.ts';

/** A held lock over one or more resources. */
export interface LockLease {
  /** Frees the resources; a failure is harmless, since the lock lapses by itself. */
  release(): Promise<void>;
}

/** Locks over named resources, all or none. They keep replicas out of each other's way; correctness never rests on them. */
export interface LockManager {
  /**
   * Takes every resource at once, without waiting.
   * @returns undefined when somebody else holds one of them.
   * @throws AppError `unavailable` when Redis does not answer.
   */
  acquire(resources: readonly string[], ttlMs: number): Promise<LockLease | undefined>;
}

/** Redlock over the `redis` package. Resources get the given key prefix. */
export function createLockManager(clients: readonly RedisClient[], prefix: string): LockManager {
  const redlock = new Redlock(clients.map(toRedlockClient), { retryCount: 0, automaticExtensionThreshold: 0 });
  return {
    async acquire(resources, ttlMs) {
      const keys = [...new Set(resources)].sort().map((resource) => prefix + resource);
      try {
        const lock = await withinLimit(redlock.acquire(keys, ttlMs));
        return { release: () => withinLimit(lock.release()).then(noop, noop) };
      } catch (error) {
        if (await withinLimit(isHeldElsewhere(error)).catch(() => false)) return undefined;
        throw unavailable('Card locks are not available now. Try again.', error);
      }
    },
  };
}

const noop = () => undefined;

/** However a Redis hangs, nobody waits longer for it. What it took nevertheless lapses by itself. */
const answerMsMax = 2_000;

function withinLimit<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('Redis did not answer in time')), answerMsMax);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Whether a majority said "taken"; anything else (time-out, connection lost) means that Redis is not there. */
async function isHeldElsewhere(error: unknown): Promise<boolean> {
  const attempts = (error as { attempts?: Promise<{ votesAgainst: Map<unknown, Error>; quorumSize: number }>[] })
    .attempts;
  const stats = await attempts?.at(-1);
  if (stats === undefined) return false;
  const taken = [...stats.votesAgainst.values()].filter((vote) => vote.name === 'ResourceLockedError');
  return taken.length >= stats.quorumSize;
}

/** redlock speaks ioredis' call style; this is the part of it that redlock uses. NOSCRIPT errors pass through for it to handle. */
function toRedlockClient(client: RedisClient): RedlockClient {
  const split = (keyCount: number, args: readonly (string | number)[]) => ({
    keys: args.slice(0, keyCount).map(String),
    arguments: args.slice(keyCount).map(String),
  });
  return {
    evalsha: (hash, keyCount, args) => client.evalSha(hash, split(keyCount, args)),
    eval: (script, keyCount, args) => client.eval(script, split(keyCount, args)),
    quit: () => client.close(),
  };
}
