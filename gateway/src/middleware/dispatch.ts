import type { RequestHandler } from 'express';
import { unavailable } from '#platform/errors.ts';
import type { Logger } from '#platform/telemetry/logging.ts';
import { traced } from '#platform/telemetry/tracing.ts';
import { Context, type Services } from '../context.ts';
import { refusals } from '../errors.ts';
import { limitHeaders } from '../limits/headers.ts';
import { type Answer, isStorable, type Route } from '../routes/route.ts';
import { type AccessLog, statusOf } from './access-log.ts';
import { type AdmissionDeps, admit, admitSubjects } from './admission.ts';
import { clientAddress, limitedNetwork, type ProxyTrust } from './client-address.ts';
import type { InFlight } from './in-flight.ts';
import type { Passage } from './passage.ts';
import { ClientGone, noBody, readBody, readFields } from './read-body.ts';
import { repeatableOf } from './repeatable.ts';
import { requestIdOf } from './request-id.ts';
import { requestSpan, requestSpanEnd } from './request-span.ts';
import { isRefusal, type Responder } from './respond.ts';
import { userAgentOf } from './user-agent.ts';
import { validate } from './validate.ts';

export interface DispatchDeps extends AdmissionDeps {
  readonly services: Services;
  readonly responder: Responder;
  readonly inFlight: InFlight;
  readonly isTrustedProxy: ProxyTrust | undefined;
  readonly logger: Logger;
  readonly accessLog: AccessLog;
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
      ip: clientAddress(request, deps.isTrustedProxy),
      userAgent: route.method === 'get' ? undefined : userAgentOf(request.headers['user-agent']),
      limits: [],
      dueSince: startedAt,
      expire: () => fail(passage, deps, unavailable()),
    };
    const answered = () => {
      const [status, durationMs] = [statusOf(response), performance.now() - startedAt];
      deps.observe(route, status, durationMs);
      deps.accessLog.answered(passage, status, durationMs);
    };
    if (!deps.inFlight.admit(passage) && !route.alwaysAdmitted) {
      fail(passage, deps, refusals.overloaded());
      return answered();
    }
    const handle = () =>
      answer(passage, deps)
        .then((result) => sendAnswer(passage, deps.responder, result))
        .catch((error: unknown) => fail(passage, deps, error));
    traced(
      () => requestSpan(passage, deps.isTrustedProxy),
      handle,
      () => requestSpanEnd(passage),
    ).finally(() => {
      deps.inFlight.done(passage);
      answered();
    });
  };
}

async function answer(passage: Passage, deps: DispatchDeps): Promise<Answer<unknown>> {
  const { route, request, response, repeatable } = passage;
  const caller = await admit(passage, deps);
  passage.caller = caller;
  const body = route.request.body === undefined ? noBody : await receive(passage, deps.inFlight);
  const input = validate(route, {
    params: request.params,
    query: route.request.query === undefined ? undefined : readFields(queryOf(request.url), repeatable),
    headers: request.headers,
    body,
  });
  const context = new Context(caller, deps.services, pathAndQueryOf(request.originalUrl), response, {
    dueAt: deps.inFlight.dueAt(passage),
    changeMsMin: deps.inFlight.changeMsMin,
  });
  if (route.limits !== undefined) await admitSubjects(passage, deps, input, context);
  // Nothing is begun whose answer was given in its place, or that nobody waits for.
  if (response.headersSent || response.destroyed) throw new ClientGone();
  return route.handler(input, context);
}

function receive(passage: Passage, inFlight: InFlight): Promise<unknown> {
  const { request, response, route, ip } = passage;
  const sender = request.complete ? undefined : limitedNetwork(ip);
  return inFlight.receive(passage, sender, () => readBody(request, response, route.bodyTypes ?? ['json']));
}

function sendAnswer(
  { route, response, requestId, limits }: Passage,
  responder: Responder,
  result: Answer<unknown>,
): void | Promise<void> {
  // Answered in its place, when it came too late.
  if (response.headersSent) return;
  const headers = limits.length === 0 ? result.headers : { ...limitHeaders(limits), ...result.headers };
  const status = result.status ?? route.success.status;
  if ('document' in result) return responder.sendDocument(response, requestId, result.document, headers);
  if (status === 204) return responder.sendNothing(response, requestId, headers);
  const text = 'text' in result ? result.text : JSON.stringify(result.body);
  const contentType = 'text' in result ? result.contentType : 'application/json';
  const reply = { status, contentType, body: text, headers };
  if (status === 200 && isStorable(route)) return responder.sendStorable(response, requestId, reply);
  responder.send(response, requestId, reply);
}

function fail({ route, response, requestId, limits }: Passage, deps: DispatchDeps, error: unknown): void {
  if (error instanceof ClientGone || response.destroyed) return;
  if (!isRefusal(error))
    deps.logger.error({ err: error, requestId, operationId: route.operationId }, 'unexpected failure');
  if (!response.headersSent) deps.responder.sendError(response, requestId, error, limitHeaders(limits));
}

/** A target may be in absolute form (RFC 9112, 3.2.2), with an origin that need not be ours. */
const pathAndQueryOf = (target: string): string => target.replace(/^[a-z]+:\/\/[^/?]*/i, '');

function queryOf(url: string): string {
  const mark = url.indexOf('?');
  return mark < 0 ? '' : url.slice(mark + 1);
}
