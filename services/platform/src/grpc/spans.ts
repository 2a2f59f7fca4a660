import type { SpanAttributes } from '../telemetry/spans.ts';

/** Metadata key of the W3C traceparent. */
export const traceparentKey = 'traceparent';

/** @param path of an RPC, such as `/tallycard.identity.v1.IdentityService/Authenticate`. */
export function rpcAttributes(path: string): SpanAttributes {
  const [, service = '', method = ''] = path.split('/');
  return { 'rpc.system.name': 'grpc', 'rpc.system': 'grpc', 'rpc.service': service, 'rpc.method': method };
}

/** gRPC statuses that are a fault of ours, and not an answer. */
export const faultStatuses: ReadonlySet<string> = new Set(['UNKNOWN', 'INTERNAL', 'UNAVAILABLE', 'DEADLINE_EXCEEDED']);
