/** The process environment, or a stand-in for it in tests. */
export type Env = Readonly<Record<string, string | undefined>>;

/** Thrown when configuration is missing or malformed; the message lists every bad variable. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/** Reads typed variables and collects every fault, so that one start names them all. */
export class EnvReader {
  readonly #env: Env;
  readonly #faults: string[] = [];

  constructor(env: Env) {
    this.#env = env;
  }

  /** A text variable; without `fallback` it is required. */
  string(name: string, fallback?: string): string {
    const value = this.#env[name];
    if (value !== undefined && value !== '') return value;
    if (fallback === undefined) this.#faults.push(`${name} is required`);
    return fallback ?? '';
  }

  /** A whole number within `min..max`. */
  int(name: string, bounds: { fallback?: number; min: number; max: number }): number {
    const text = this.string(name, bounds.fallback?.toString());
    const value = Number(text);
    if (text !== '' && (!Number.isInteger(value) || value < bounds.min || value > bounds.max)) {
      this.#faults.push(`${name} must be a whole number from ${bounds.min} to ${bounds.max}, not "${text}"`);
    }
    return value;
  }

  /** `true` or `false`. */
  bool(name: string, fallback: boolean): boolean {
    const text = this.string(name, String(fallback));
    if (text !== 'true' && text !== 'false') this.#faults.push(`${name} must be true or false, not "${text}"`);
    return text === 'true';
  }

  /** A comma-separated list without empty items. */
  list(name: string, fallback?: string): string[] {
    return this.string(name, fallback)
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '');
  }

  /** Key material in base64 of at least `bytesMin` bytes. */
  secret(name: string, bytesMin = 32): Buffer {
    const text = this.string(name);
    const value = Buffer.from(text, 'base64');
    if (text !== '' && value.length < bytesMin) {
      this.#faults.push(`${name} must be base64 of at least ${bytesMin} bytes, not of ${value.length}`);
    }
    return value;
  }

  /** Key material as {@link secret} has it, several with commas; never empty once {@link done} has not thrown. */
  secrets(name: string, bytesMin = 32): readonly [Buffer, ...Buffer[]] {
    const texts = this.list(name);
    const values = texts.map((text) => Buffer.from(text, 'base64'));
    if (values.length === 0 || values.some((value) => value.length < bytesMin))
      this.#faults.push(`${name} must be base64 of at least ${bytesMin} bytes, with commas between keys`);
    const [first = Buffer.alloc(0), ...others] = values;
    return [first, ...others];
  }

  /** An http or https address without a query, to which paths are added; without the slash at its end. */
  httpUrl(name: string, fallback?: string): string {
    const url = this.string(name, fallback);
    if (url !== '' && (!/^https?:\/\/[^\s?#]+$/.test(url) || !URL.canParse(url))) {
      this.#faults.push(`${name} must be an http or https URL without query, not "${url}"`);
    }
    return url.replace(/\/+$/, '');
  }

  /** Records a fault that the caller found itself. */
  fault(message: string): void {
    this.#faults.push(message);
  }

  /** @throws {ConfigError} with every fault found so far. */
  done<T>(config: T): T {
    if (this.#faults.length > 0) throw new ConfigError(`Bad configuration: ${this.#faults.join('; ')}.`);
    return config;
  }
}
