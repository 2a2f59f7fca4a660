import {
  type Metadata,
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type ServiceDefinition,
  type ServiceError,
  type sendUnaryData,
  status,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { AppError, isComponentDown, unavailable } from '../errors.ts';
import type { Logger } from '../telemetry/logging.ts';
import type { RpcMetrics } from '../telemetry/metrics.ts';
import type { SpanEnd, SpanStart } from '../telemetry/spans.ts';
import { traced } from '../telemetry/tracing.ts';
import { createThrottle } from '../throttle.ts';
import { type Caller, verifyCaller } from './caller.ts';
import { toServiceError } from './errors.ts';
import { addHealth } from './health.ts';
import { addSharedCalls } from './shared-calls-server.ts';
import { rpcAttributes, traceparentKey } from './spans.ts';
import { callerKey } from './wire.ts';

/** What a handler knows of a call besides its request. */
export interface CallContext {
  readonly caller: Caller;
}

/** One RPC: takes the decoded request, gives the answer, throws an {@link AppError} to refuse. */
export type UnaryHandler<Request, Response> = (request: Request, context: CallContext) => Promise<Response>;

/** For each RPC of a ts-proto server interface, its plain handler. */
export type Handlers<Service> = {
  [Rpc in keyof Service as Service[Rpc] extends (
    call: ServerUnaryCall<infer _Q, infer _A>,
    callback: sendUnaryData<infer _R>,
  ) => void
    ? string extends Rpc
      ? never
      : Rpc
    : never]: Service[Rpc] extends (call: ServerUnaryCall<infer Request, infer Response>, callback: never) => void
    ? UnaryHandler<Request, Response>
    : never;
};

export interface GrpcServerOptions {
  readonly host: string;
  readonly port: number;
  readonly callerSecret: Buffer;
  /** What else may have signed a caller, while the secret is being changed. */
  readonly callerOtherSecrets?: readonly Buffer[] | undefined;
  readonly logger: Logger;
  readonly metrics: RpcMetrics;
  /** After how long a client is asked to connect anew; two minutes, give or take a tenth, unless given. */
  readonly connectionAgeMsMax?: number | undefined;
}

export interface GrpcServer {
  /** The port it listens on. */
  readonly port: number;
  /** What `grpc.health.v1` answers; not serving at first. */
  setServing(serving: boolean): void;
  /** Lets calls in flight finish, for at most `graceMs`. */
  stop(graceMs: number): Promise<void>;
}

/** Clients that connect anew look the address up again, and so find replicas that came later. */
const connectionAgeMsMaxDefault = 2 * 60_000;
const messageBytesMax = 4 * 1024 * 1024;

/** Serves `handlers` for `definition`: checks the caller's signature, turns refusals into statuses, masks bugs. */
export async function startGrpcServer<Service>(
  definition: ServiceDefinition,
  handlers: Handlers<Service>,
  options: GrpcServerOptions,
): Promise<GrpcServer> {
  const server = new Server({
    'grpc.max_receive_message_length': messageBytesMax,
    'grpc.max_concurrent_streams': 10_000,
    'grpc.max_connection_age_ms': options.connectionAgeMsMax ?? connectionAgeMsMaxDefault,
  });
  const implementation: UntypedServiceImplementation = {};
  for (const [rpc, handler] of Object.entries(handlers)) {
    const path = definition[rpc]?.path ?? rpc;
    implementation[rpc] = wrap({ rpc, path }, handler as UnaryHandler<unknown, unknown>, options);
  }
  server.addService(definition, implementation);
  const health = addHealth(server, definition);
  addSharedCalls(server, definition, implementation);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync(`${options.host}:${options.port}`, ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  return { port, setServing: health.setServing, stop: (graceMs) => stop(server, graceMs) };
}

interface RpcName {
  readonly rpc: string;
  /** `/package.Service/Method`. */
  readonly path: string;
}

function wrap({ rpc, path }: RpcName, handler: UnaryHandler<unknown, unknown>, options: GrpcServerOptions) {
  const warn = createThrottle(warnEveryMs);
  const secrets = [options.callerSecret, ...(options.callerOtherSecrets ?? [])];
  const refuse = (
    thrown: unknown,
    { requestId, merchantId }: Caller,
  ): { code: string; error: Partial<ServiceError> } => {
    const down = isComponentDown(thrown);
    const error = down ? unavailable(undefined, thrown) : thrown;
    const about = { rpc, requestId, merchantId };
    if (!(error instanceof AppError)) {
      options.logger.error({ err: error, ...about }, 'unexpected failure');
      return { code: 'internal', error: { code: status.INTERNAL, details: 'Internal error.' } };
    }
    if (error.kind === 'unavailable') {
      warn(() =>
        options.logger.warn({ err: messageOf(error.cause ?? error), ...about }, 'a component does not answer'),
      );
    } else options.logger.debug({ code: error.code, ...about }, 'refused');
    return { code: error.code, error: toServiceError(error) };
  };
  return (call: ServerUnaryCall<unknown, unknown>, callback: sendUnaryData<unknown>): void => {
    const startedAt = performance.now();
    const signed = call.metadata.get(callerKey)[0];
    const caller = typeof signed === 'string' ? verifyCaller(signed, secrets) : undefined;
    const finish = (code: string) => options.metrics.observe(rpc, code, performance.now() - startedAt);
    if (caller === undefined) {
      finish('unsigned');
      callback({ code: status.UNAUTHENTICATED, details: 'The call carries no valid caller.' });
      return;
    }
    traced(
      () => serverSpan(path, call.metadata),
      () => handler(call.request, { caller }),
      spanEnd,
    ).then(
      (answer) => {
        finish('ok');
        callback(null, answer);
      },
      (thrown: unknown) => {
        const { code, error } = refuse(thrown, caller);
        finish(code);
        callback(error);
      },
    );
  };
}

/** A component that is away fails every call; one line in a while says it. */
const warnEveryMs = 1_000;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function serverSpan(path: string, metadata: Metadata): SpanStart {
  const [parent] = metadata.get(traceparentKey);
  const attributes = rpcAttributes(path);
  return { name: path.slice(1), kind: 'server', parent: typeof parent === 'string' ? parent : undefined, attributes };
}

function spanEnd(error?: unknown): SpanEnd {
  if (error === undefined) return {};
  if (error instanceof AppError && error.kind !== 'unavailable')
    return { attributes: { 'tallycard.code': error.code } };
  return { fault: error instanceof AppError || isComponentDown(error) ? 'UNAVAILABLE' : 'INTERNAL' };
}

function stop(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const force = setTimeout(() => {
      server.forceShutdown();
      resolve();
    }, graceMs);
    server.tryShutdown(() => {
      clearTimeout(force);
      resolve();
    });
  });
}
