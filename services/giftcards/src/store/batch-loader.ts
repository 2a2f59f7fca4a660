/** A query gets at most this many keys. */
const batchMax = 128;
/** Queries under way at once. */
const batchesMax = 2;

interface Waiting<T> {
  readonly key: string;
  readonly resolve: (value: T | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Looks records up by key. Look-ups that come while queries are under way share the next one; a lone one is not
 * delayed. Nothing is cached: what a caller gets was read after it asked.
 */
export class BatchLoader<T> {
  readonly #fetch: (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>;
  #waiting: Waiting<T>[] = [];
  #running = 0;
  #pumpIsDue = false;

  constructor(fetch: (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>) {
    this.#fetch = fetch;
  }

  load(key: string): Promise<T | undefined> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ key, resolve, reject });
      this.#pumpSoon();
    });
  }

  /** After the input that has already arrived is read: what comes together goes together. */
  #pumpSoon(): void {
    if (this.#pumpIsDue || this.#running >= batchesMax) return;
    this.#pumpIsDue = true;
    setImmediate(() => {
      this.#pumpIsDue = false;
      this.#pump();
    });
  }

  #pump(): void {
    if (this.#running >= batchesMax || this.#waiting.length === 0) return;
    const batch = this.#waiting.slice(0, batchMax);
    this.#waiting = this.#waiting.slice(batchMax);
    this.#running += 1;
    void this.#run(batch).finally(() => {
      this.#running -= 1;
      this.#pumpSoon();
    });
    if (this.#waiting.length > 0) this.#pumpSoon();
  }

  async #run(batch: readonly Waiting<T>[]): Promise<void> {
    try {
      const found = await this.#fetch([...new Set(batch.map(({ key }) => key))]);
      for (const { key, resolve } of batch) resolve(found.get(key));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
