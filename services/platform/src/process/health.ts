import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';

export interface HealthServer {
  readonly port: number;
  stop(): Promise<void>;
}

/** Serves `/healthz` (the process lives), `/readyz` (503 while `isReady` is false) and `/metrics`. */
export async function startHealthServer(
  listen: { host: string; port: number },
  isReady: () => boolean,
  registry: Registry,
): Promise<HealthServer> {
  const server = createServer((request, response) => {
    const answer = (status: number, body: string, type = 'text/plain') =>
      response.writeHead(status, { 'content-type': type }).end(body);
    if (request.url === '/healthz') answer(200, 'ok');
    else if (request.url === '/readyz') answer(isReady() ? 200 : 503, isReady() ? 'ready' : 'not ready');
    else if (request.url === '/metrics') {
      registry.metrics().then(
        (text) => answer(200, text, registry.contentType),
        () => answer(500, 'metrics failed'),
      );
    } else answer(404, 'not found');
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(listen.port, listen.host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
