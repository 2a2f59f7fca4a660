import { connect, type Socket } from 'node:net';

/** An answer as far as a load generator needs it. */
export interface HttpAnswer {
  readonly status: number;
  readonly body: string;
}

const headEnd = Buffer.from('\r\n\r\n');

/**
 * One keep-alive HTTP/1.1 connection, one request at a time. It does so little that a load test measures the server:
 * answers must carry a content-length.
 */
export class HttpConnection {
  readonly #url: URL;
  #socket: Socket | undefined;
  #received: Buffer = Buffer.alloc(0);
  #waiting: { resolve: (answer: HttpAnswer) => void; reject: (error: Error) => void } | undefined;

  constructor(baseUrl: string) {
    this.#url = new URL(baseUrl);
  }

  /** @throws when the connection breaks before the answer is whole. */
  async request(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body = '',
  ): Promise<HttpAnswer> {
    // The server closes a connection that was idle for a while.
    if (this.#socket === undefined || this.#socket.destroyed) this.#socket = await this.#open();
    const socket = this.#socket;
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const length =
      body === '' ? '' : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`;
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      socket.write(`${method} ${path} HTTP/1.1\r\nhost: ${this.#url.host}\r\n${lines.join('')}${length}\r\n${body}`);
    });
  }

  close(): void {
    this.#waiting = undefined;
    this.#socket?.destroy();
  }

  #open(): Promise<Socket> {
    return new Promise((resolve, reject) => {
      const socket = connect(Number(this.#url.port), this.#url.hostname, () => resolve(socket));
      socket.setNoDelay(true);
      socket.on('data', (chunk) => this.#take(chunk));
      socket.on('error', (error) => {
        reject(error);
        this.#fail(error);
      });
      socket.on('close', () => this.#fail(new Error('connection closed')));
    });
  }

  #take(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    const end = this.#received.indexOf(headEnd);
    if (end < 0) return;
    const head = this.#received.toString('latin1', 0, end);
    const length = Number(/content-length: *(\d+)/i.exec(head)?.[1] ?? 0);
    const bodyAt = end + headEnd.length;
    if (this.#received.length < bodyAt + length) return;
    const body = this.#received.toString('utf8', bodyAt, bodyAt + length);
    this.#received = this.#received.subarray(bodyAt + length);
    if (/connection: *close/i.test(head)) this.#socket?.destroy();
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.resolve({ status: Number(head.slice(9, 12)), body });
  }

  #fail(error: Error): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.reject(error);
  }
}
