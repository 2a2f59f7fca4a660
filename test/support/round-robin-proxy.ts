import { Agent, createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { httpAnswers } from '#stack/probes.ts';

/** Where a backend takes requests, and where it says whether it does. */
export interface Backend {
  readonly port: number;
  readonly healthPort: number;
}

const probeIntervalMs = 100;

/**
 * A load balancer as a cluster's is: it hands requests in turn to the backends that were ready when last asked, keeps
 * connections to them open, says in X-Forwarded-For who asks, and never repeats a request.
 */
export class RoundRobinProxy {
  readonly url: string;
  readonly #server: Server;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #probes: NodeJS.Timeout;
  #ready: readonly Backend[] = [];
  #next = 0;

  private constructor(server: Server, backends: readonly Backend[]) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    this.#probes = setInterval(() => void this.#probe(backends), probeIntervalMs);
    server.on('request', (incoming, answer) => this.#forward(incoming, answer));
  }

  static async start(backends: readonly Backend[]): Promise<RoundRobinProxy> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const proxy = new RoundRobinProxy(server, backends);
    await proxy.#probe(backends);
    return proxy;
  }

  /** How many backends are handed requests. */
  get readyCount(): number {
    return this.#ready.length;
  }

  stop(): Promise<void> {
    clearInterval(this.#probes);
    this.#agent.destroy();
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  async #probe(backends: readonly Backend[]): Promise<void> {
    const isReady = await Promise.all(
      backends.map(({ healthPort }) => httpAnswers(healthPort, '/readyz').catch(() => false)),
    );
    this.#ready = backends.filter((_, index) => isReady[index]);
  }

  #forward(incoming: IncomingMessage, answer: ServerResponse): void {
    const fail = (error: Error) => answer.headersSent || answer.writeHead(502).end(error.message);
    const backend = this.#ready[this.#next++ % Math.max(1, this.#ready.length)];
    if (backend === undefined) return void fail(new Error('no backend is ready'));
    const { method, url: path, headers, socket } = incoming;
    const before = headers['x-forwarded-for'];
    const client = socket.remoteAddress ?? '';
    const forwarded = { ...headers, 'x-forwarded-for': before === undefined ? client : `${before}, ${client}` };
    const outgoing = request(
      { host: '127.0.0.1', port: backend.port, method, path, headers: forwarded, agent: this.#agent },
      (response) => {
        const { connection: _ours, 'keep-alive': _too, ...rest } = response.headers;
        answer.writeHead(response.statusCode ?? 502, rest);
        response.pipe(answer);
      },
    );
    outgoing.on('error', fail);
    incoming.pipe(outgoing);
  }
}
