import {
  type CallOptions,
  type ChannelOptions,
  type Client,
  type ClientUnaryCall,
  credentials,
  Metadata,
  type ServiceError,
  status,
} from '@grpc/grpc-js';
import { type Caller, signCaller } from './caller.ts';
import { fromServiceError } from './grpc-errors.ts';

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
  /** Whether repeating the call is harmless; only then UNAVAILABLE is retried. */
  readonly idempotent?: boolean;
}

/** A ts-proto client with each unary method as `(request, caller, options) => Promise<response>`. */
export type RpcClient<C> = {
  [Rpc in keyof C as Rpc extends keyof Client ? never : Rpc]: C[Rpc] extends UnaryMethod<infer Request, infer Response>
    ? (request: Request, caller: Caller, options?: RpcOptions) => Promise<Response>
    : never;
} & { close(): void };

const deadlineMsDefault = 15_000;
const attemptsMax = 3;
const retryDelayMs = 50;

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
  const client = new Constructor(address, credentials.createInsecure(), {
    'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
    'grpc.initial_reconnect_backoff_ms': 100,
    'grpc.max_reconnect_backoff_ms': 1_000,
    'grpc.keepalive_time_ms': 30_000,
    // We retry ourselves, and only what is idempotent.
    'grpc.enable_retries': 0,
  });
  const close = () => client.close();
  return new Proxy({} as RpcClient<C>, {
    get(cache, name) {
      if (name === 'close') return close;
      if (typeof name !== 'string' || name === 'then') return undefined;
      const known = cache as Record<string, unknown>;
      known[name] ??= bindRpc(client, name, callerSecret);
      return known[name];
    },
  });
}

function bindRpc(client: Client, name: string, callerSecret: Buffer) {
  const method = (client as unknown as Record<string, UnaryMethod<unknown, unknown>>)[name];
  if (method === undefined) throw new TypeError(`The client has no RPC ${name}`);
  return async (request: unknown, caller: Caller, options: RpcOptions = {}): Promise<unknown> => {
    const deadline = Date.now() + (options.deadlineMs ?? deadlineMsDefault);
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await invoke(client, method, request, signedMetadata(caller, callerSecret), deadline, options.signal);
      } catch (error) {
        const retriable = options.idempotent === true && (error as ServiceError).code === status.UNAVAILABLE;
        if (!retriable || attempt >= attemptsMax) throw fromServiceError(error);
        await new Promise((resolve) => setTimeout(resolve, retryDelayMs * attempt * (0.5 + Math.random())));
      }
    }
  };
}

function signedMetadata(caller: Caller, secret: Buffer): Metadata {
  const metadata = new Metadata();
  metadata.set('tallycard-caller', signCaller(caller, secret));
  return metadata;
}

function invoke(
  client: Client,
  method: UnaryMethod<unknown, unknown>,
  request: unknown,
  metadata: Metadata,
  deadline: number,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const call = method.call(client, request, metadata, { deadline }, (error, response) => {
      signal?.removeEventListener('abort', cancel);
      if (error) reject(error);
      else resolve(response);
    });
    const cancel = () => call.cancel();
    signal?.addEventListener('abort', cancel, { once: true });
  });
}
