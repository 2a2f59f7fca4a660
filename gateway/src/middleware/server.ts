import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { refusals } from '../errors.ts';
import type { Route } from '../routes/route.ts';
import { type DispatchDeps, dispatch } from './dispatch.ts';
import { requestIdOf } from './request-id.ts';
import { sendError } from './respond.ts';

export const headerBytesMax = 16 * 1024;
const headersMsMax = 15_000;
const requestMsMax = 30_000;
const keepAliveMs = 65_000;
const stopPollMs = 50;

/** Mounts the table on express: one handler a route, and nothing in front of it. */
export function createExpress(
  routes: readonly Route[],
  deps: DispatchDeps,
  trustProxy: number | readonly string[] | undefined,
): Express {
  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.set('query parser', false);
  app.set('case sensitive routing', true);
  app.set('trust proxy', trustProxy ?? false);
  for (const [path, sharing] of Map.groupBy(routes, (route) => route.path)) {
    const mounted = app.route(path);
    for (const route of sharing) mounted[route.method](dispatch(route, deps));
    mounted.all(refuseMethod(sharing));
  }
  app.use(((request, response) => {
    sendError(response, requestIdOf(request.headers['x-request-id']), refusals.routeNotFound());
  }) satisfies RequestHandler);
  app.use(malformedAddress);
  return app;
}

function refuseMethod(sharing: readonly Route[]): RequestHandler {
  const methods = sharing.map(({ method }) => method.toUpperCase());
  const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
  return (request, response) => {
    const requestId = requestIdOf(request.headers['x-request-id']);
    if (request.method === 'OPTIONS') response.writeHead(204, { Allow: allow, 'X-Request-Id': requestId }).end();
    else sendError(response, requestId, refusals.methodNotAllowed(allow));
  };
}

// Express itself fails on nothing but a path that cannot be decoded.
const malformedAddress: ErrorRequestHandler = (_error, request, response, _next) => {
  sendError(response, requestIdOf(request.headers['x-request-id']), refusals.badAddress());
};

/** An HTTP server with bounds on how long a client may take and how much it may send. */
export function createHttpServer(app: Express): Server {
  const server = createServer(
    {
      maxHeaderSize: headerBytesMax,
      headersTimeout: headersMsMax,
      requestTimeout: requestMsMax,
      keepAliveTimeout: keepAliveMs,
      connectionsCheckingInterval: 5_000,
    },
    app,
  );
  server.on('clientError', answerBrokenRequest);
  return server;
}

const brokenRequests: Readonly<Record<string, readonly [status: number, title: string, code: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large', 'headers_too_large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'request_timeout'],
};

/** Answers what never became a request, in the same form as every other error. */
function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const [status, title, code] = brokenRequests[error.code ?? ''] ?? [400, 'Bad Request', 'bad_request'];
  const requestId = requestIdOf(undefined);
  const body = JSON.stringify({
    type: 'about:blank',
    title,
    status,
    detail: 'The request could not be read.',
    code,
    requestId,
  });
  socket.end(
    `HTTP/1.1 ${status} ${title}\r\nContent-Type: application/problem+json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `X-Request-Id: ${requestId}\r\nConnection: close\r\n\r\n${body}`,
  );
}

/** Takes no new connection, lets requests in flight finish for at most `graceMs`, then closes what is left. */
export async function stopHttpServer(server: Server, graceMs: number): Promise<void> {
  if (!server.listening) return;
  // A connection kept alive by a request in flight would otherwise stay open when that is answered.
  server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'));
  const idle = setInterval(() => server.closeIdleConnections(), stopPollMs);
  const force = setTimeout(() => server.closeAllConnections(), graceMs);
  await new Promise<void>((resolve) => server.close(() => resolve()));
  clearInterval(idle);
  clearTimeout(force);
}
