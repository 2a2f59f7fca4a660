import type { SpanEnd, SpanStart } from '#platform/tracing.ts';
import { statusOf } from './access-log.ts';
import type { Passage } from './passage.ts';

/** OpenTelemetry's conventions for HTTP servers, without the address as it came: it may hold a card number. */
export function requestSpan({ route, request }: Passage): SpanStart {
  const { traceparent } = request.headers;
  return {
    name: `${request.method} ${route.path}`,
    kind: 'server',
    parent: typeof traceparent === 'string' ? traceparent : undefined,
    attributes: { 'http.request.method': request.method, 'http.route': route.path },
  };
}

export function requestSpanEnd({ response, requestId }: Passage): SpanEnd {
  const status = statusOf(response);
  const attributes = { 'http.response.status_code': status, 'tallycard.request_id': requestId };
  return { attributes, fault: status >= 500 ? String(status) : undefined };
}
