import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from '#platform/telemetry/logging.ts';
import { networkOf } from './client-address.ts';
import type { Passage } from './passage.ts';

/** The status that is logged when the client went away before an answer (nginx's, since HTTP has none). */
const clientGone = 499;

/** What became of a response. */
export const statusOf = (response: ServerResponse) => (response.headersSent ? response.statusCode : clientGone);

export interface AccessLog {
  answered(passage: Passage, status: number, durationMs: number): void;
  /** A request that no route took. */
  unrouted(request: IncomingMessage, status: number, requestId: string): void;
}

/**
 * A line for each request: at `info` when it changes something or is refused, else at `debug`. It has the route's
 * template in place of the address, whose query may hold a card number, and the client's network (/24 or /48) in place
 * of its address; the whole address is in the merchant's own audit log.
 */
export function createAccessLog(logger: Logger): AccessLog {
  const tellsAll = logger.isLevelEnabled?.('debug') ?? true;
  const tellsSome = logger.isLevelEnabled?.('info') ?? true;
  return {
    answered({ route, request, requestId, ip, caller }, status, durationMs) {
      const matters = status >= 400 || (route.method !== 'get' && tellsSome);
      if (!(matters ? tellsSome : tellsAll)) return;
      const fields = {
        operationId: route.operationId,
        method: request.method,
        route: route.path,
        status,
        ms: Math.round(durationMs * 10) / 10,
        requestId,
        ...(caller && { merchantId: caller.merchantId, kind: caller.kind, credentialId: caller.credentialId }),
        network: networkOf(ip),
      };
      if (matters) logger.info(fields, 'answered');
      else logger.debug(fields, 'answered');
    },
    unrouted({ method }, status, requestId) {
      if (tellsSome) logger.info({ method, status, requestId }, 'answered without a route');
    },
  };
}
