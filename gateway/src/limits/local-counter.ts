import type { Counted, LimitGroup, Meter } from './policy.ts';

const keysMaxDefault = 20_000;

interface Entry {
  count: number;
  readonly endsAt: number;
}

/** Metered calls of one key in one month that the shared counter does not know of. */
export interface OwnCalls {
  readonly meter: Meter;
  calls: number;
}

/**
 * Counts in this process alone, with the same windows, while Redis is away. Bounded: when it is full, windows that have
 * ended make room, else the one begun longest ago.
 */
export class LocalCounter {
  readonly #entries = new Map<string, Entry>();
  readonly #ownCalls = new Map<string, OwnCalls>();
  readonly #keysMax: number;

  constructor(keysMax: number = keysMaxDefault) {
    this.#keysMax = keysMax;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** @param now ms since 1970. */
  count({ windows, meter }: LimitGroup, now: number): Counted {
    const counted = windows.map(({ key, policy }) => this.#entry(key, now + policy.windowMs, now));
    const calls = meter === undefined ? undefined : this.#entry(meter.usageKey, meter.endsAt, now);
    if (calls !== undefined && meter !== undefined) calls.count = Math.max(calls.count, meter.callsStored);
    const windowFull = windows.some(({ policy }, index) => (counted[index]?.count ?? 0) >= policy.quota);
    const monthFull = meter?.policy !== undefined && (calls?.count ?? 0) >= meter.policy.quota;
    const refused = windowFull || monthFull;
    const answer = {
      counts: counted.map(({ count }) => count + 1),
      leftMs: counted.map(({ endsAt }) => endsAt - now),
      calls: calls === undefined ? 0 : calls.count + 1,
    };
    if (!refused && meter !== undefined) this.#own(meter);
    const countedIn = counted.filter((_, index) => !windows[index]?.lookOnly);
    if (!refused) for (const entry of calls === undefined ? countedIn : [...countedIn, calls]) entry.count += 1;
    return answer;
  }

  /** Hands over the metered calls that were counted here, of at most `keysMax` keys, which are then forgotten. */
  takeOwnCalls(keysMax: number): OwnCalls[] {
    const taken = [...this.#ownCalls.values()].slice(0, keysMax);
    for (const { meter } of taken) this.#ownCalls.delete(meter.usageKey);
    return taken;
  }

  /** Takes back what could not be handed over. */
  keepOwnCalls(taken: readonly OwnCalls[]): void {
    for (const { meter, calls } of taken) this.#own(meter, calls);
  }

  clear(): void {
    this.#entries.clear();
  }

  /** Bounded like the windows; a key more than that is let off its calls, which are few. */
  #own(meter: Meter, calls = 1): void {
    const own = this.#ownCalls.get(meter.usageKey);
    if (own !== undefined) own.calls += calls;
    else if (this.#ownCalls.size < this.#keysMax) this.#ownCalls.set(meter.usageKey, { meter, calls });
  }

  #entry(key: string, endsAt: number, now: number): Entry {
    const known = this.#entries.get(key);
    if (known !== undefined && known.endsAt > now) return known;
    this.#entries.delete(key);
    if (this.#entries.size >= this.#keysMax) this.#makeRoom(now);
    const entry = { count: 0, endsAt };
    this.#entries.set(key, entry);
    return entry;
  }

  #makeRoom(now: number): void {
    for (const [key, { endsAt }] of this.#entries) if (endsAt <= now) this.#entries.delete(key);
    if (this.#entries.size < this.#keysMax) return;
    const oldest = this.#entries.keys().next();
    if (!oldest.done) this.#entries.delete(oldest.value);
  }
}
