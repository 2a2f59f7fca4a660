import { connect, type Socket } from 'node:net';

/** What came back on a connection. */
export interface WireAnswer {
  readonly text: string;
  /** Whether the server closed the connection. */
  readonly closed: boolean;
  readonly durationMs: number;
}

/** A connection that says exactly what a test wants, and keeps what comes back. */
export class Wire {
  readonly socket: Socket;
  readonly #startedAt = performance.now();
  #text = '';
  #closed = false;
  #notify = () => undefined as undefined;

  /** @param localAddress the client's own; any of 127.0.0.0/8. */
  constructor(port: number, localAddress = '127.0.0.1') {
    this.socket = connect({ port, host: '127.0.0.1', localAddress });
    this.socket.on('data', (chunk) => {
      this.#text += chunk.toString('latin1');
      this.#notify();
    });
    // A reset is a way of closing too.
    this.socket.on('error', () => undefined);
    this.socket.on('close', () => {
      this.#closed = true;
      this.#notify();
    });
  }

  say(bytes: string | Buffer): this {
    this.socket.write(bytes);
    return this;
  }

  /** Waits until the server has closed the connection, or what came is `enough`. */
  async hear(enough: RegExp | undefined = undefined): Promise<WireAnswer> {
    while (!this.#closed && !(enough?.test(this.#text) ?? false)) {
      await new Promise<void>((resolve) => {
        this.#notify = () => void resolve() as undefined;
      });
    }
    const answer = { text: this.#text, closed: this.#closed, durationMs: performance.now() - this.#startedAt };
    this.socket.destroy();
    return answer;
  }
}

/** Says it all at once and waits for the end. */
export const exchange = (port: number, bytes: string | Buffer, enough?: RegExp): Promise<WireAnswer> =>
  new Wire(port).say(bytes).hear(enough);

/** The status codes of the answers in what came back, in order. */
export const statusesIn = ({ text }: WireAnswer): number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]));

/** A request as bytes. */
export function requestText(line: string, headers: Readonly<Record<string, string>> = {}, body = ''): string {
  const all: Record<string, string> = { Host: 'api.example.com', ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${line} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}
