import { setTimeout as sleep } from 'node:timers/promises';

/** What the API answered. */
export interface ApiAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

/** A plain HTTP client of the API, as a merchant's program would be. */
export class Api {
  readonly baseUrl: string;
  readonly #token: string | undefined;

  constructor(baseUrl: string, token?: string) {
    this.baseUrl = baseUrl;
    this.#token = token;
  }

  /** The same API with another credential, or none. */
  as(token: string | undefined): Api {
    return new Api(this.baseUrl, token);
  }

  get(path: string, headers: Record<string, string> = {}): Promise<ApiAnswer> {
    return this.send('GET', path, undefined, headers);
  }

  post(path: string, body: unknown = {}, headers: Record<string, string> = {}): Promise<ApiAnswer> {
    return this.send('POST', path, body, headers);
  }

  async send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<ApiAnswer> {
    const response = await fetch(this.baseUrl + path, {
      method,
      headers: {
        ...(this.#token === undefined ? {} : { authorization: `Bearer ${this.#token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: parse(text) };
  }
}

function parse(text: string): ApiAnswer['body'] {
  try {
    return JSON.parse(text);
  } catch {
    return { text } as unknown as ApiAnswer['body'];
  }
}

/** Waits until `condition` holds; for what has no event to wait for. */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  withinMs = 30_000,
): Promise<void> {
  const giveUpAt = Date.now() + withinMs;
  while (!(await condition())) {
    if (Date.now() > giveUpAt) throw new Error(`waited ${withinMs} ms in vain until ${what}`);
    await sleep(20);
  }
}
