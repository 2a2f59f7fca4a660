import {
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type ServiceDefinition,
  type sendUnaryData,
  status,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { type Caller, verifyCaller } from './caller.ts';
import { AppError, isComponentDown, unavailable } from './errors.ts';
import { toServiceError } from './grpc-errors.ts';
import type { Logger } from './logging.ts';
import type { RpcMetrics } from './metrics.ts';

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
  readonly logger: Logger;
  readonly metrics: RpcMetrics;
  /** After how long a client is asked to connect anew; five minutes unless given. */
  readonly connectionAgeMsMax?: number | undefined;
}

export interface GrpcServer {
  /** The port it listens on. */
  readonly port: number;
  /** Lets calls in flight finish, for at most `graceMs`. */
  stop(graceMs: number): Promise<void>;
}

/** Clients that connect anew look the address up again, and so find replicas that came later. */
const connectionAgeMsMaxDefault = 5 * 60_000;
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
    implementation[rpc] = wrap(rpc, handler as UnaryHandler<unknown, unknown>, options);
  }
  server.addService(definition, implementation);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync(`${options.host}:${options.port}`, ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  return { port, stop: (graceMs) => stop(server, graceMs) };
}

function wrap(rpc: string, handler: UnaryHandler<unknown, unknown>, options: GrpcServerOptions) {
  return (call: ServerUnaryCall<unknown, unknown>, callback: sendUnaryData<unknown>): void => {
    const startedAt = performance.now();
    const signed = call.metadata.get('tallycard-caller')[0];
    const caller = typeof signed === 'string' ? verifyCaller(signed, options.callerSecret) : undefined;
    const finish = (code: string) => options.metrics.observe(rpc, code, performance.now() - startedAt);
    if (caller === undefined) {
      finish('unsigned');
      callback({ code: status.UNAUTHENTICATED, details: 'The call carries no valid caller.' });
      return;
    }
    handler(call.request, { caller }).then(
      (answer) => {
        finish('ok');
        callback(null, answer);
      },
      (thrown: unknown) => {
        const error = isComponentDown(thrown) ? unavailable(undefined, thrown) : thrown;
        if (error instanceof AppError) {
          finish(error.code);
          callback(toServiceError(error));
          return;
        }
        finish('internal');
        options.logger.error({ err: error, rpc, requestId: caller.requestId }, 'unexpected failure');
        callback({ code: status.INTERNAL, details: 'Internal error.' });
      },
    );
  };
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
