import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { refusals } from '../errors.ts';
import type { Route } from '../routes/route.ts';
import type { ProxyTrust } from './client-address.ts';
import { type DispatchDeps, dispatch } from './dispatch.ts';
import { requestIdOf } from './request-id.ts';
import type { Responder } from './respond.ts';

/** Mounts the table on express: one handler a route, and nothing in front of it. */
export function createExpress(
  routes: readonly Route[],
  deps: Omit<DispatchDeps, 'isTrustedProxy'>,
  trustProxy: number | readonly string[] | undefined,
): Express {
  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.set('query parser', false);
  app.set('case sensitive routing', true);
  app.set('trust proxy', trustProxy ?? false);
  const isTrustedProxy: ProxyTrust | undefined = trustProxy === undefined ? undefined : app.get('trust proxy fn');
  for (const [path, sharing] of Map.groupBy(routes, (route) => route.path)) {
    const mounted = app.route(path);
    for (const route of sharing) mounted[route.method](dispatch(route, { ...deps, isTrustedProxy }));
    mounted.all(refuseMethod(sharing, deps.responder));
  }
  const unknownAddress: RequestHandler = (request, response) => {
    deps.responder.sendError(response, requestIdOf(request.headers['x-request-id']), refusals.routeNotFound());
  };
  // Express itself fails on nothing but a path that cannot be decoded.
  const malformedAddress: ErrorRequestHandler = (_error, request, response, _next) => {
    deps.responder.sendError(response, requestIdOf(request.headers['x-request-id']), refusals.badAddress());
  };
  return app.use(unknownAddress).use(malformedAddress);
}

function refuseMethod(sharing: readonly Route[], responder: Responder): RequestHandler {
  const methods = sharing.map(({ method }) => method.toUpperCase());
  const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
  return (request, response) => {
    const requestId = requestIdOf(request.headers['x-request-id']);
    if (request.method === 'OPTIONS') responder.sendOptions(response, requestId, allow);
    else responder.sendError(response, requestId, refusals.methodNotAllowed(allow));
  };
}
