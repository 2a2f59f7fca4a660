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
  readonly #socket: Socket;
  readonly #host: string;
  #received: Buffer = Buffer.alloc(0);
  #waiting: { resolve: (answer: HttpAnswer) => void; reject: (error: Error) => void } | undefined;

  private constructor(socket: Socket, host: string) {
    this.#socket = socket;
    this.#host = host;
    socket.setNoDelay(true);
    socket.on('data', (chunk) => this.#take(chunk));
    socket.on('error', (error) => this.#fail(error));
    socket.on('close', () => this.#fail(new Error('connection closed')));
  }

  static open(baseUrl: string): Promise<HttpConnection> {
    const { hostname, port, host } = new URL(baseUrl);
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => resolve(new HttpConnection(socket, host)));
      socket.once('error', reject);
    });
  }

  request(method: string, path: string, headers: Readonly<Record<string, string>>, body = ''): Promise<HttpAnswer> {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const length =
      body === '' ? '' : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`;
    this.#socket.write(`${method} ${path} HTTP/1.1\r\nhost: ${this.#host}\r\n${lines.join('')}${length}\r\n${body}`);
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
    });
  }

  close(): void {
    this.#waiting = undefined;
    this.#socket.destroy();
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
