interface Entry<Value> {
  readonly value: Value;
  readonly expiresAt: number;
}

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
      this.#set(key, value);
      return value;
    });
    this.#pending.set(key, started);
    try {
      return await started;
    } finally {
      this.#pending.delete(key);
    }
  }

  /** Forgets every entry that `isStale` names. */
  drop(isStale: (value: Value) => boolean): void {
    for (const [key, entry] of this.#entries) if (isStale(entry.value)) this.#entries.delete(key);
  }

  #set(key: string, value: Value): void {
    const livesMs = this.#livesMs(value);
    if (livesMs <= 0) return;
    this.#entries.delete(key);
    this.#entries.set(key, { value, expiresAt: this.#now() + livesMs });
    if (this.#entries.size <= this.#entriesMax) return;
    const oldest = this.#entries.keys().next();
    if (!oldest.done) this.#entries.delete(oldest.value);
  }
}
