import { createHash } from 'node:crypto';
import type { RedisClient } from '#platform/redis/redis.ts';
import type { OwnCalls } from './local-counter.ts';
import type { Counted, LimitGroup } from './policy.ts';

/** Requests counted by one script: Redis does nothing else meanwhile. */
const groupsMax = 128;
/** However a Redis hangs, no request waits longer for it. */
const answerMsMax = 1_500;
/** A timer that is this late tells of a stall of ours, not of Redis. */
const stallMsMin = 100;
const stallsMax = 3;
/** A month's counter outlives the month by more than one, so that identity can store it in peace. */
const usageKeptMs = 70 * 86_400_000;
const dirtyKey = 'usage:dirty';

// Of each group: how many windows, their quotas, lengths, and 1 or 0 for whether the request is counted in them; 1 or 0
// for a meter, with its bound (-1: none), the calls stored and its member of the dirty set. A group is counted whole or
// not at all, and the counts that are answered include the request, so that a count over its quota is a refusal.
const countScript = `
local key, arg, answer = 1, 1, {}
local function count(name, span)
  local count = redis.call('INCR', name)
  local left = count > 1 and redis.call('PTTL', name) or -1
  if left < 0 then
    redis.call('PEXPIRE', name, span)
    left = tonumber(span)
  end
  return count, left
end
while arg <= #ARGV do
  local windows, first, full = tonumber(ARGV[arg]), #answer, false
  arg = arg + 1
  local args = arg
  for i = 1, windows do
    local used, left = count(KEYS[key + i], ARGV[arg + 1])
    full = full or used > tonumber(ARGV[arg])
    answer[#answer + 1] = used
    answer[#answer + 1] = left
    arg = arg + 3
  end
  local metered = ARGV[arg] == '1'
  arg = arg + 1
  if metered then
    local usage, bound, stored = KEYS[key + windows + 1], tonumber(ARGV[arg]), tonumber(ARGV[arg + 1])
    local calls = tonumber(redis.call('GET', usage) or -1)
    if calls < stored then
      redis.call('SET', usage, stored, 'PX', ${usageKeptMs})
      calls = stored
    end
    full = full or (bound >= 0 and calls >= bound)
    if not full then
      redis.call('INCR', usage)
      redis.call('SADD', KEYS[1], ARGV[arg + 2])
    end
    answer[#answer + 1] = calls + 1
    arg = arg + 3
  end
  for i = 1, windows do
    if full or ARGV[args + i * 3 - 1] == '0' then
      if answer[first + i * 2 - 1] == 1 then redis.call('DEL', KEYS[key + i]) else redis.call('DECR', KEYS[key + i]) end
    end
  end
  key = key + windows + (metered and 1 or 0)
end
return answer`;

// Of each key its own calls, the calls stored and its member of the dirty set.
const addScript = `
for i = 2, #KEYS do
  local arg = (i - 2) * 3 + 1
  local calls, stored = tonumber(redis.call('GET', KEYS[i]) or 0), tonumber(ARGV[arg + 1])
  redis.call('SET', KEYS[i], math.max(calls, stored) + tonumber(ARGV[arg]), 'PX', ${usageKeptMs})
  redis.call('SADD', KEYS[1], ARGV[arg + 2])
end`;

const countSha = createHash('sha1').update(countScript).digest('hex');

interface Waiting {
  readonly group: LimitGroup;
  readonly resolve: (counted: Counted) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Counts requests in Redis, for all gateways together. Requests of one turn of the event loop share a script call, since
 * a call costs far more than a count; a lone request is not delayed.
 */
export class RedisCounter {
  readonly #redis: RedisClient;
  #waiting: Waiting[] = [];

  constructor(redis: RedisClient) {
    this.#redis = redis;
  }

  /** Rejects when Redis does not answer in time; the request may have been counted nevertheless. */
  count(group: LimitGroup): Promise<Counted> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) setImmediate(() => this.#flush());
      this.#waiting.push({ group, resolve, reject });
    });
  }

  /** Adds calls that were counted while Redis was away: all of them or, when it rejects without a time-out, none. */
  async addCalls(own: readonly OwnCalls[]): Promise<void> {
    const keys = [dirtyKey, ...own.map(({ meter }) => meter.usageKey)];
    const args = own.flatMap(({ meter, calls }) => [String(calls), String(meter.callsStored), meter.dirtyMember]);
    await withinLimit(this.#redis.eval(addScript, { keys, arguments: args }));
  }

  /** Resolves when Redis answers. */
  async probe(): Promise<void> {
    await this.#redis.ping();
  }

  #flush(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (let start = 0; start < waiting.length; start += groupsMax) this.#send(waiting.slice(start, start + groupsMax));
  }

  #send(batch: readonly Waiting[]): void {
    const keys = [dirtyKey];
    const args: string[] = [];
    for (const { group } of batch) addGroup(group, keys, args);
    withinLimit(this.#run({ keys, arguments: args })).then(
      (numbers) => hand(batch, numbers),
      (error: unknown) => {
        for (const { reject } of batch) reject(error);
      },
    );
  }

  async #run(options: { keys: string[]; arguments: string[] }): Promise<number[]> {
    try {
      return (await this.#redis.evalSha(countSha, options)) as number[];
    } catch (error) {
      if (!String((error as Error).message).startsWith('NOSCRIPT')) throw error;
      return (await this.#redis.eval(countScript, options)) as number[];
    }
  }
}

function addGroup({ windows, meter }: LimitGroup, keys: string[], args: string[]): void {
  args.push(String(windows.length));
  for (const { key, policy, lookOnly } of windows) {
    keys.push(key);
    args.push(String(policy.quota), String(policy.windowMs), lookOnly ? '0' : '1');
  }
  if (meter === undefined) args.push('0');
  else {
    keys.push(meter.usageKey);
    args.push('1', String(meter.policy?.quota ?? -1), String(meter.callsStored), meter.dirtyMember);
  }
}

/** Gives each group of a batch its part of the answer. */
function hand(batch: readonly Waiting[], numbers: readonly number[]): void {
  let at = 0;
  for (const { group, resolve } of batch) {
    const counts: number[] = [];
    const leftMs: number[] = [];
    for (const _ of group.windows) {
      counts.push(numbers[at] as number);
      leftMs.push(numbers[at + 1] as number);
      at += 2;
    }
    const calls = group.meter === undefined ? 0 : (numbers[at++] as number);
    resolve({ counts, leftMs, calls });
  }
}

function withinLimit<T>(work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout;
    const wait = (stallsLeft: number) => {
      const dueAt = performance.now() + answerMsMax;
      timer = setTimeout(() => {
        // Neither may the question have left yet, nor the answer have been read.
        if (stallsLeft > 0 && performance.now() - dueAt > stallMsMin) wait(stallsLeft - 1);
        else reject(new Error('Redis did not answer in time'));
      }, answerMsMax);
    };
    wait(stallsMax);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
