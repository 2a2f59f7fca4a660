import type { AddressInfo } from 'node:net';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** A path to a TCP server that can be lost silently: what goes into it comes out nowhere, and no end hears of it. */
export class SilentProxy {
  readonly port: number;
  readonly #server: Server;
  readonly #pairs = new Set<readonly [Socket, Socket]>();

  private constructor(server: Server, to: { host: string; port: number }) {
    this.#server = server;
    this.port = (server.address() as AddressInfo).port;
    server.on('connection', (near) => this.#join(near, connect(to)));
  }

  static async start(to: { host: string; port: number }): Promise<SilentProxy> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new SilentProxy(server, to);
  }

  /** Connections made from now on work; nothing passes on those of before any more. */
  silence(): void {
    for (const pair of this.#pairs) for (const socket of pair) socket.removeAllListeners('data').resume();
  }

  /** Holds back what passes on the connections of now until {@link goOn}. */
  hold(): void {
    for (const pair of this.#pairs) for (const socket of pair) socket.pause();
  }

  goOn(): void {
    for (const pair of this.#pairs) for (const socket of pair) socket.resume();
  }

  async stop(): Promise<void> {
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #join(near: Socket, far: Socket): void {
    const pair = [near, far] as const;
    this.#pairs.add(pair);
    for (const [from, to] of [pair, [far, near] as const]) {
      from.on('data', (bytes: Buffer) => to.write(bytes));
      from.on('error', () => undefined);
      from.on('close', () => {
        to.destroy();
        this.#pairs.delete(pair);
      });
    }
  }
}
