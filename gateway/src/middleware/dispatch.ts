import type { RequestHandler } from 'express';
import type { Logger } from '#platform/logging.ts';
import { Context, type Services } from '../context.ts';
import { limitHeaders } from '../limits/headers.ts';
import type { Answer, Route } from '../routes/route.ts';
import { type AdmissionDeps, admit, admitSubjects } from './admission.ts';
import { clientAddress } from './client-address.ts';
import type { Passage } from './passage.ts';
import { ClientGone, noBody, readBody, readFields } from './read-body.ts';
import { repeatableOf } from './repeatable.ts';
import { requestIdOf } from './request-id.ts';
import { isRefusal, send, sendError, sendJson } from './respond.ts';
import { userAgentOf } from './user-agent.ts';
import { validate } from './validate.ts';

export interface DispatchDeps extends AdmissionDeps {
  readonly services: Services;
  readonly logger: Logger;
  /** Told of every request when it is answered. */
  observe(route: Route, status: number, durationMs: number): void;
}

/**
 * Makes the express handler of a route. The order of checks is fixed: limits of the address, 401, 402, 403, limits of
 * the key or user, 413 and 415, 422, further limits of the route, then the handler.
 */
export function dispatch(route: Route, deps: DispatchDeps): RequestHandler {
  const repeatable = repeatableOf(route);
  return (request, response) => {
    const startedAt = performance.now();
    const passage: Passage = {
      route,
      repeatable,
      request,
      response,
      requestId: requestIdOf(request.headers['x-request-id']),
      ip: clientAddress(request),
      userAgent: route.method === 'get' ? undefined : userAgentOf(request.headers['user-agent']),
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
  const { route, request, response, repeatable } = passage;
  const caller = await admit(passage, deps);
  const body = route.request.body === undefined ? noBody : await readBody(request, route.bodyTypes ?? ['json']);
  const input = validate(route, {
    params: request.params,
    query: route.request.query === undefined ? undefined : readFields(queryOf(request.url), repeatable),
    headers: request.headers,
    body,
  });
  const context = new Context(caller, deps.services, request.originalUrl, response);
  if (route.limits !== undefined) await admitSubjects(passage, deps, input, context);
  return route.handler(input, context);
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
