interface Entry<Value> {
  readonly value: Value;
  readonly expiresAt: number;
}

/** How many old entries one new one looks at. */
const sweptMax = 4;

/**
 * A bounded cache whose entries live for a short while. The one looked up longest ago goes first: moving entries at each
 * use would cost more than it saves. Misses of the same key at the same time share one look-up. Failed look-ups are not kept.
 */
export class ExpiringCache<Value> {
  readonly #entries = new Map<string, Entry<Value>>();
  readonly #pending = new Map<string, Promise<Value>>();
  readonly #entriesMax: number;
  readonly #livesMs: (value: Value) => number;
  readonly #now: () => number;

  /** @param livesMs how long a value may be served. */
  constructor(entriesMax: number, livesMs: (value: Value) => number, now: () => number = Date.now) {
    this.#entriesMax = entriesMax;
    this.#livesMs = livesMs;
    this.#now = now;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (entry.expiresAt > this.#now()) return entry.value;
    this.#entries.delete(key);
    return undefined;
  }

  /** The value, looked up when it is not there. */
  async load(key: string, lookUp: () => Promise<Value>): Promise<Value> {
    const known = this.get(key);
    if (known !== undefined) return known;
    const underWay = this.#pending.get(key);
    if (underWay !== undefined) return underWay;
    const started = lookUp().then((value) => {
      this.set(key, value);
      return value;
    });
    this.#pending.set(key, started);
    try {
      return await started;
    } finally {
      this.#pending.delete(key);
    }
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  /** Forgets every entry that `isStale` names. */
  drop(isStale: (value: Value) => boolean): void {
    for (const [key, entry] of this.#entries) if (isStale(entry.value)) this.#entries.delete(key);
  }

  /** Keeps a value that was come by otherwise than through {@link load}. */
  set(key: string, value: Value): void {
    const livesMs = this.#livesMs(value);
    if (livesMs <= 0) return;
    const now = this.#now();
    this.#entries.delete(key);
    this.#entries.set(key, { value, expiresAt: now + livesMs });
    this.#makeRoom(now);
  }

  /** A few of the oldest go with each new entry when they have expired, so that what nobody asks for takes no room. */
  #makeRoom(now: number): void {
    let looked = 0;
    for (const [key, entry] of this.#entries) {
      looked += 1;
      if (entry.expiresAt > now && this.#entries.size <= this.#entriesMax) return;
      this.#entries.delete(key);
      if (looked >= sweptMax) return;
    }
  }
}
