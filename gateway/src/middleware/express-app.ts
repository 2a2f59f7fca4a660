import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import { refusals } from '../errors.ts';
import type { Route } from '../routes/route.ts';
import type { ProxyTrust } from './client-address.ts';
import { type DispatchDeps, dispatch } from './dispatch.ts';
import { requestIdOf } from './request-id.ts';

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
    mounted.all(refuseMethod(sharing, deps));
  }
  const unknownAddress: RequestHandler = (request, response) => {
    refuse(deps, request, response, refusals.routeNotFound());
  };
  // Express itself fails on nothing but a path that cannot be decoded.
  const malformedAddress: ErrorRequestHandler = (_error, request, response, _next) => {
    refuse(deps, request, response, refusals.badAddress());
  };
  return app.use(unknownAddress).use(malformedAddress);
}

type RefusalDeps = Pick<DispatchDeps, 'responder' | 'accessLog'>;

function refuse({ responder, accessLog }: RefusalDeps, request: Request, response: Response, refusal: Error): void {
  const requestId = requestIdOf(request.headers['x-request-id']);
  responder.sendError(response, requestId, refusal);
  accessLog.unrouted(request, response.statusCode, requestId);
}

function refuseMethod(sharing: readonly Route[], deps: RefusalDeps): RequestHandler {
  const methods = sharing.map(({ method }) => method.toUpperCase());
  const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
  return (request, response) => {
    if (request.method !== 'OPTIONS') return refuse(deps, request, response, refusals.methodNotAllowed(allow));
    deps.responder.sendOptions(response, requestIdOf(request.headers['x-request-id']), allow);
  };
}
