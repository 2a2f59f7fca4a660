import type { Counted, LimitGroup } from './policy.ts';

const keysMaxDefault = 20_000;

interface Entry {
  count: number;
  readonly endsAt: number;
}

/**
 * Counts in this process alone, with the same windows, while Redis is away. Bounded: when it is full, windows that have
 * ended make room, else the one begun longest ago.
 */
export class LocalCounter {
  readonly #entries = new Map<string, Entry>();
  readonly #keysMax: number;

  constructor(keysMax: number = keysMaxDefault) {
    this.#keysMax = keysMax;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** @param now ms since 1970. */
  count({ windows, meter, giveBackKey }: LimitGroup, now: number): Counted {
    const counted = windows.map(({ key, policy }) => this.#entry(key, now + policy.windowMs, now));
    const calls = meter === undefined ? undefined : this.#entry(meter.usageKey, meter.endsAt, now);
    if (calls !== undefined && meter !== undefined) calls.count = Math.max(calls.count, meter.callsStored);
    const windowFull = windows.some(({ policy }, index) => (counted[index]?.count ?? 0) >= policy.quota);
    const monthFull = meter?.policy !== undefined && (calls?.count ?? 0) >= meter.policy.quota;
    const refused = windowFull || monthFull;
    if (giveBackKey !== undefined) this.#giveBack(giveBackKey);
    const answer = {
      counts: counted.map(({ count }) => count + 1),
      leftMs: counted.map(({ endsAt }) => endsAt - now),
      calls: calls === undefined ? 0 : calls.count + 1,
    };
    if (!refused) for (const entry of calls === undefined ? counted : [...counted, calls]) entry.count += 1;
    return answer;
  }

  clear(): void {
    this.#entries.clear();
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

  #giveBack(key: string): void {
    const entry = this.#entries.get(key);
    if (entry !== undefined && entry.count > 0) entry.count -= 1;
  }
}
