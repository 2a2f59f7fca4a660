import type { SpanEnd, SpanStart } from '#platform/telemetry/spans.ts';
import { statusOf } from './access-log.ts';
import { isTrustedPeer, type ProxyTrust } from './client-address.ts';
import type { Passage } from './passage.ts';

/** OpenTelemetry's conventions for HTTP servers, without the address as it came: it may hold a card number. */
export function requestSpan({ route, request }: Passage, isTrusted: ProxyTrust | undefined): SpanStart {
  const { traceparent } = request.headers;
  // Of a client on the internet it is nothing to go on with: its flag would decide what is traced, its id what mixes.
  const believed = typeof traceparent === 'string' && isTrustedPeer(request, isTrusted);
  return {
    name: `${request.method} ${route.path}`,
    kind: 'server',
    parent: believed ? traceparent : undefined,
    attributes: { 'http.request.method': request.method, 'http.route': route.path },
  };
}

export function requestSpanEnd({ response, requestId }: Passage): SpanEnd {
  const status = statusOf(response);
  const attributes = { 'http.response.status_code': status, 'tallycard.request_id': requestId };
  return { attributes, fault: status >= 500 ? String(status) : undefined };
}
