import type { Request, RequestHandler, Response } from 'express';
import type { Caller } from '#platform/caller.ts';
import type { Logger } from '#platform/logging.ts';
import type { Principal } from '#proto/identity/v1/identity.ts';
import { Context, type Services } from '../context.ts';
import { refusals } from '../errors.ts';
import type { Answer, Input, RequestShapes, Route } from '../routes/route.ts';
import type { Authenticator } from './authenticator.ts';
import { clientAddress, limitedNetwork } from './client-address.ts';
import { type LimitState, type LimitSubject, limitHeaders, type RateLimiter } from './rate-limiter.ts';
import { ClientGone, lastOfEach, noBody, readBody } from './read-body.ts';
import { requestIdOf } from './request-id.ts';
import { isRefusal, send, sendError, sendJson } from './respond.ts';
import { validate } from './validate.ts';

export interface DispatchDeps {
  readonly services: Services;
  readonly authenticator: Authenticator;
  readonly limiter: RateLimiter;
  readonly logger: Logger;
  /** Told of every request when it is answered. */
  observe(route: Route, status: number, durationMs: number): void;
}

/** What one request gathers on its way. */
interface Passage {
  readonly route: Route;
  readonly request: Request;
  readonly response: Response;
  readonly requestId: string;
  readonly ip: string;
  limits: LimitState[];
}

/**
 * Makes the express handler of a route. The order of checks is fixed: limit per address, 401, 402, 403, 413 and 415, 422,
 * further limits, then the handler.
 */
export function dispatch(route: Route, deps: DispatchDeps): RequestHandler {
  return (request, response) => {
    const startedAt = performance.now();
    const passage: Passage = {
      route,
      request,
      response,
      requestId: requestIdOf(request.headers['x-request-id']),
      ip: clientAddress(request),
      limits: [],
    };
    answer(passage, deps)
      .then(
        (result) => sendAnswer(passage, result),
        (error: unknown) => fail(passage, deps.logger, error),
      )
      .finally(() => deps.observe(route, response.statusCode, performance.now() - startedAt));
  };
}

async function answer(passage: Passage, deps: DispatchDeps): Promise<Answer<unknown>> {
  const { route, request, response } = passage;
  if (route.limits !== undefined) await count(passage, deps, bySource(passage));
  const caller = route.auth === 'none' ? anonymous(passage) : await identify(passage, deps.authenticator);
  const body = route.request.body === undefined ? noBody : await readBody(request, route.bodyTypes ?? ['json']);
  const input = validate(route, {
    params: request.params,
    query: route.request.query === undefined ? undefined : lastOfEach(queryOf(request.url)),
    headers: request.headers,
    body,
  });
  const context = new Context(caller, deps.services, request.originalUrl, response);
  if (route.limits !== undefined) await count(passage, deps, await bySubject(route, input, context));
  return route.handler(input, context);
}

const anonymous = ({ requestId, ip }: Passage): Caller => ({
  kind: 'anonymous',
  merchantId: '',
  userId: '',
  credentialId: '',
  requestId,
  ip,
});

async function identify(passage: Passage, authenticator: Authenticator): Promise<Caller> {
  const verdict = authenticator.authenticate(passage.request.headers.authorization, anonymous(passage));
  const principal = verdict instanceof Promise ? await verdict : verdict;
  authorise(passage.route, principal);
  return {
    kind: principal.kind as Caller['kind'],
    merchantId: principal.merchantId,
    userId: principal.userId,
    credentialId: principal.credentialId,
    requestId: passage.requestId,
    ip: passage.ip,
  };
}

/** Scopes bind API keys only; `fullAccess` is every scope but redeeming. A frozen key may call nothing. */
function authorise(route: Route, { kind, scopes, fullAccess, frozen, admin }: Principal): void {
  if (frozen) throw refusals.keyFrozen();
  if (route.auth === 'session' && kind !== 'user') throw refusals.sessionOnly();
  if (route.auth === 'admin' && (kind !== 'user' || !admin)) throw refusals.adminOnly();
  if (kind !== 'api_key') return;
  if (route.auth === 'user') throw refusals.userOnly();
  if (route.scope === undefined || scopes.includes(route.scope)) return;
  if (!fullAccess || route.scope === 'giftcards:redeem') throw refusals.missingScope(route.scope);
}

function bySource({ route, ip }: Passage): LimitSubject[] {
  const limits = route.limits?.filter(({ subject }) => subject === undefined) ?? [];
  return limits.map(({ limit }) => ({ limit, subject: limitedNetwork(ip) }));
}

async function bySubject(route: Route, input: Input<RequestShapes>, context: Context): Promise<LimitSubject[]> {
  const subjects: LimitSubject[] = [];
  for (const { limit, subject } of route.limits ?? []) {
    const named = await subject?.(input, context);
    if (named !== undefined) subjects.push({ limit, subject: named });
  }
  return subjects;
}

async function count(passage: Passage, deps: DispatchDeps, subjects: readonly LimitSubject[]): Promise<void> {
  if (subjects.length === 0) return;
  const states = await deps.limiter.count(subjects);
  passage.limits = [...passage.limits, ...states];
  const exceeded = states.filter((state) => state.exceeded);
  if (exceeded.length > 0) throw refusals.rateLimited(Math.max(...exceeded.map((state) => state.resetSeconds)));
}

function sendAnswer({ route, response, requestId, limits }: Passage, result: Answer<unknown>): void {
  const headers = limits.length === 0 ? result.headers : { ...limitHeaders(limits), ...result.headers };
  const status = result.status ?? route.success.status;
  if (result.text === undefined) sendJson(response, requestId, status, result.body, headers);
  else send(response, requestId, status, result.contentType, result.text, headers);
}

function fail({ route, response, requestId, limits }: Passage, logger: Logger, error: unknown): void {
  if (error instanceof ClientGone || response.destroyed) return;
  if (!isRefusal(error)) logger.error({ err: error, requestId, operationId: route.operationId }, 'unexpected failure');
  if (!response.headersSent) sendError(response, requestId, error, limitHeaders(limits));
}

function queryOf(url: string): string {
  const mark = url.indexOf('?');
  return mark < 0 ? '' : url.slice(mark + 1);
}
