import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A POST that a receiver got. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  readonly body: { id: string; type: string; timestamp: string; merchantId: string; data: Record<string, unknown> };
  readonly at: number;
}

type Answer = (request: Received, response: ServerResponse, tries: number) => void;

/** A local HTTP server that verifies endpoints and answers deliveries as its test says. */
export interface Receiver {
  readonly url: string;
  readonly port: number;
  /** Deliveries, without the verifications. */
  readonly received: Received[];
  /** Connections it took. */
  connections(): number;
  /** How deliveries are answered; `tries` counts those of the same event, from 1. */
  answer: Answer;
  /** How verifications are answered. */
  answerVerify: Answer;
  /** Resets a connection at the second request on it, as a receiver does whose idle time-out has just run out. */
  hangUpOnReuse: boolean;
  stop(): Promise<void>;
}

export const ok: Answer = (_request, response) => response.writeHead(200).end('ok');
export const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (_request, response) =>
    response.writeHead(code, headers).end();
export const echoToken: Answer = (request, response) =>
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ token: request.body.data.token }));
/** Takes the request and never answers. */
export const silent: Answer = () => undefined;

export async function startReceiver(port = 0): Promise<Receiver> {
  const received: Received[] = [];
  let connections = 0;
  const used = new WeakSet<Socket>();
  const server = createServer((request, response) => {
    if (receiver.hangUpOnReuse && used.has(request.socket)) {
      request.socket.resetAndDestroy();
      return;
    }
    used.add(request.socket);
    void buffer(request).then((bytes) => {
      const text = bytes.toString('utf8');
      const body = JSON.parse(text) as Received['body'];
      const item = { path: request.url ?? '', headers: request.headers, text, body, at: Date.now() };
      if (body.type === 'webhook.verify') {
        receiver.answerVerify(item, response, 1);
        return;
      }
      received.push(item);
      receiver.answer(item, response, received.filter((other) => other.body.id === body.id).length);
    });
  }).on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  // A test that failed leaves its receiver behind; that must not keep the run from ending.
  server.unref();
  const bound = (server.address() as AddressInfo).port;
  const receiver: Receiver = {
    url: `http://127.0.0.1:${bound}/hook`,
    port: bound,
    received,
    connections: () => connections,
    answer: ok,
    answerVerify: echoToken,
    hangUpOnReuse: false,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return receiver;
}

/** Whether a request is signed with the secret, reckoned here without the service's own code. */
export function isSigned(request: Received, sharedSecret: string): boolean {
  const key = sharedSecret.startsWith('whsec_')
    ? Buffer.from(sharedSecret.slice(6), 'base64')
    : Buffer.from(sharedSecret);
  const content = `${request.headers['webhook-id']}.${request.headers['webhook-timestamp']}.${request.text}`;
  return request.headers['webhook-signature'] === `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
}

/** A port that nobody listens on. */
export async function freePort(): Promise<number> {
  const { port, stop } = await startReceiver();
  await stop();
  return port;
}
