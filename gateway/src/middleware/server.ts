import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Express } from 'express';
import type { EdgeConfig } from '../edge-config.ts';
import { refusals } from '../errors.ts';
import { type AnswerOf, answerBrokenRequest } from './broken-request.ts';
import { requestIdOf } from './request-id.ts';
import type { Responder } from './respond.ts';

export const headerBytesMax = 16 * 1024;
/** A connection that asks this often is made anew, so that load spreads over replicas that came later. */
const requestsPerConnectionMax = 100_000;
/** Longer than the usual load balancer keeps its side open, so that it never sends into a connection that we close. */
const keepAliveMs = 65_000;
/** For a client that neither sends nor reads. */
const silenceMsMax = 60_000;
const checksPerTimeout = 5;
const stopPollMs = 50;
/** How long a stop waits for the first word of a connection. */
const silentMsMax = 1_000;

/** The server, and how it ends. */
export interface EdgeServer {
  readonly server: Server;
  /** Takes no new connection, lets requests in flight finish for at most `graceMs`, then closes what is left. */
  stop(graceMs: number): Promise<void>;
}

/** An HTTP server with bounds on how long a client may take, how much it may send and how many may come. */
export function createHttpServer(app: Express, responder: Responder, edge: EdgeConfig): EdgeServer {
  const server = createServer({
    maxHeaderSize: headerBytesMax,
    headersTimeout: edge.headersMsMax,
    requestTimeout: edge.requestMsMax,
    keepAliveTimeout: keepAliveMs,
    connectionsCheckingInterval: Math.min(edge.headersMsMax, edge.requestMsMax) / checksPerTimeout,
    // Node's own refusal is bare: no problem, no request id. Ours is in `handle`.
    requireHostHeader: false,
  });
  server.maxConnections = edge.connectionsMax;
  // Their bytes are bounded. Bounding their number makes Node drop the last ones, such as a proxy's X-Forwarded-For.
  server.maxHeadersCount = 0;
  server.maxRequestsPerSocket = requestsPerConnectionMax;
  server.timeout = silenceMsMax;
  const latest = new WeakMap<Socket, ServerResponse>();
  const answerOf: AnswerOf = (socket) => latest.get(socket);
  const refuse = (request: IncomingMessage, response: ServerResponse<IncomingMessage>, refusal: Error) =>
    responder.sendError(response, requestIdOf(request.headers['x-request-id']), refusal);
  const handle = (request: IncomingMessage, response: ServerResponse<IncomingMessage>) => {
    latest.set(request.socket, response);
    if (lacksHost(request)) refuse(request, response, refusals.hostMissing());
    else app(request, response);
  };
  server.on('request', handle);
  // Reading the body is what tells the client to send it, so that a refusal spares it the trouble.
  server.on('checkContinue', handle);
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse<IncomingMessage>) => {
    refuse(request, response, lacksHost(request) ? refusals.hostMissing() : refusals.expectationFailed());
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) =>
    answerBrokenRequest(error, socket, answerOf),
  );
  const sockets = new Map<Socket, number>();
  server.on('connection', (socket: Socket) => {
    sockets.set(socket, performance.now());
    socket.once('close', () => sockets.delete(socket));
  });
  return { server, stop: (graceMs) => stop(server, responder, sockets, graceMs) };
}

/** HTTP/1.0 knows no Host; HTTP/1.1 must have one (RFC 9112, 3.2). */
const lacksHost = ({ httpVersion, headers }: IncomingMessage): boolean =>
  httpVersion === '1.1' && headers.host === undefined;

type Sockets = ReadonlyMap<Socket, number>;

async function stop(server: Server, responder: Responder, sockets: Sockets, graceMs: number): Promise<void> {
  if (!server.listening) return;
  responder.closeConnections();
  const idle = setInterval(() => {
    server.closeIdleConnections();
    closeSilent(sockets);
  }, stopPollMs);
  const force = setTimeout(() => server.closeAllConnections(), graceMs);
  await new Promise<void>((resolve) => server.close(() => resolve()));
  clearInterval(idle);
  clearTimeout(force);
}

/** Node takes a connection on which nothing was ever said for a busy one. */
function closeSilent(sockets: Sockets): void {
  const now = performance.now();
  for (const [socket, since] of sockets) if (socket.bytesRead === 0 && now - since > silentMsMax) socket.destroy();
}
