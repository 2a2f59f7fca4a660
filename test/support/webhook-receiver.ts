import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An event as it arrived, with a signature that held. */
export interface ReceivedEvent {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly merchantId: string;
  readonly data: Record<string, unknown>;
}

/** A merchant's webhook endpoint: answers the verification, checks every signature, and keeps what arrived. */
export class WebhookReceiver {
  readonly events: ReceivedEvent[] = [];
  /** Requests whose signature did not hold; a test expects none. */
  readonly forged: string[] = [];
  readonly url: string;
  readonly #server: Server;
  #secret: string;

  private constructor(server: Server, secret: string) {
    this.#server = server;
    this.#secret = secret;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  }

  static async start(secret: string): Promise<WebhookReceiver> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const receiver = new WebhookReceiver(server, secret);
    server.on('request', async (request: IncomingMessage, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const answer = receiver.#receive(request, Buffer.concat(chunks).toString());
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
    return receiver;
  }

  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.closeAllConnections();
      this.#server.close(() => resolve());
    });
  }

  #receive(request: IncomingMessage, body: string): object {
    const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = request.headers;
    const expected = createHmac('sha256', this.#secret).update(`${id}.${timestamp}.${body}`).digest('base64');
    const fresh = Math.abs(Date.now() / 1000 - Number(timestamp)) < 300;
    if (!fresh || !String(signature).split(' ').includes(`v1,${expected}`)) this.forged.push(body);
    const event = JSON.parse(body) as ReceivedEvent;
    if (event.type === 'webhook.verify') return { token: event.data.token };
    this.events.push(event);
    return {};
  }
}
