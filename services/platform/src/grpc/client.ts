import {
  type CallOptions,
  type ChannelOptions,
  type Client,
  type ClientUnaryCall,
  credentials,
  type Metadata,
  type ServiceError,
  status,
} from '@grpc/grpc-js';
import type { SpanEnd, SpanStart } from '../telemetry/spans.ts';
import { traced } from '../telemetry/tracing.ts';
import { type Caller, signCaller } from './caller.ts';
import { fromServiceError } from './errors.ts';
import { FreshClient } from './fresh-client.ts';
import { Repeats } from './repeats.ts';
import { SharedCalls, type UnaryRpc } from './shared-calls-client.ts';
import { faultStatuses, rpcAttributes } from './spans.ts';

type UnaryMethod<Request, Response> = (
  request: Request,
  metadata: Metadata,
  options: Partial<CallOptions>,
  callback: (error: ServiceError | null, response: Response) => void,
) => ClientUnaryCall;

/** Options of one call. */
export interface RpcOptions {
  readonly deadlineMs?: number;
  /** Cancels the call, for example because the HTTP client went away. */
  readonly signal?: AbortSignal;
  /** Whether repeating the call is harmless; only then UNAVAILABLE is retried, unless no server had begun the call. */
  readonly idempotent?: boolean;
}

/** A ts-proto client with each unary method as `(request, caller, options) => Promise<response>`. */
export type RpcClient<C> = {
  [Rpc in keyof C as Rpc extends keyof Client ? never : Rpc]: C[Rpc] extends UnaryMethod<infer Request, infer Response>
    ? (request: Request, caller: Caller, options?: RpcOptions) => Promise<Response>
    : never;
} & { close(): void };

const deadlineMsDefault = 15_000;
const deadlineStepMs = 100;
const steppedMsMin = 2_000;

/** Connects to a service. Calls are signed with the caller, carry a deadline, and refusals come back as `AppError`. */
export function createRpcClient<C extends Client>(
  Constructor: new (
    address: string,
    creds: ReturnType<typeof credentials.createInsecure>,
    options?: ChannelOptions,
  ) => C,
  address: string,
  callerSecret: Buffer,
): RpcClient<C> {
  const options: ChannelOptions = {
    'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
    'grpc.initial_reconnect_backoff_ms': 100,
    'grpc.max_reconnect_backoff_ms': 1_000,
    'grpc.keepalive_time_ms': 30_000,
    // gRPC itself repeats just what no server has begun, such as a call that met a server about to stop: harmless for a
    // money move too. Everything else is ours to repeat, and only if it is idempotent; no DNS record may say otherwise.
    'grpc.enable_retries': 1,
    'grpc.service_config_disable_resolution': 1,
    // A replica that goes is noticed at once; the half minute of the default would hide the one that took its place.
    'grpc.dns_min_time_between_resolutions_ms': 1_000,
  };
  const client = new FreshClient(() => new Constructor(address, credentials.createInsecure(), options));
  const calls = new SharedCalls(() => client.current);
  const repeats = new Repeats();
  const close = () => {
    repeats.close();
    client.close();
  };
  return new Proxy({} as RpcClient<C>, {
    get(cache, name) {
      if (name === 'close') return close;
      if (typeof name !== 'string' || name === 'then') return undefined;
      const known = cache as Record<string, unknown>;
      known[name] ??= bindRpc(client.current, { calls, repeats, callerSecret }, name);
      return known[name];
    },
  });
}

interface Sending {
  readonly calls: SharedCalls;
  readonly repeats: Repeats;
  readonly callerSecret: Buffer;
}

function bindRpc(client: Client, { calls, repeats, callerSecret }: Sending, name: string) {
  const rpc = (client as unknown as Record<string, UnaryRpc>)[name];
  if (rpc === undefined) throw new TypeError(`The client has no RPC ${name}`);
  return async (request: unknown, caller: Caller, options: RpcOptions = {}): Promise<unknown> => {
    const { deadlineMs = deadlineMsDefault, signal, idempotent } = options;
    const deadline = deadlineIn(deadlineMs);
    for (let tries = 1; ; tries += 1) {
      try {
        const response = await traced(
          () => clientSpan(rpc.path),
          (span) =>
            calls.send({
              rpc,
              request,
              caller: signCaller(caller, callerSecret),
              traceparent: span?.traceparent ?? '',
              deadline,
              signal,
            }),
          spanEnd,
        );
        repeats.succeeded();
        return response;
      } catch (error) {
        const isGone = signal?.aborted ?? false;
        const isRepeated =
          !isGone &&
          (await repeats.wait(error as ServiceError, { tries, until: deadline, idempotent: idempotent === true }));
        if (!isRepeated) throw fromServiceError(error);
      }
    }
  };
}

/** Calls of about the same moment get the same deadline, and so can share a call; none gets more time than it asked for. */
function deadlineIn(deadlineMs: number): number {
  const deadline = Date.now() + deadlineMs;
  return deadlineMs < steppedMsMin ? deadline : deadline - (deadline % deadlineStepMs);
}

/** A refusal is an answer; what is down or a bug is a fault. */
function spanEnd(error?: unknown): SpanEnd {
  if (error === undefined) return { attributes: { 'rpc.response.status_code': 'OK' } };
  const name = status[(error as ServiceError).code] ?? 'UNKNOWN';
  return { attributes: { 'rpc.response.status_code': name }, fault: faultStatuses.has(name) ? name : undefined };
}

const clientSpan = (path: string): SpanStart => ({
  name: path.slice(1),
  kind: 'client',
  attributes: rpcAttributes(path),
});
