import {
  Metadata,
  type Server,
  type ServerUnaryCall,
  type ServerWritableStream,
  type ServiceDefinition,
  type ServiceError,
  type sendUnaryData,
  status,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import {
  type SharedAnswer,
  type SharedCall,
  SharedCallsServiceService,
  type ShareRequest,
  type ShareResponse,
} from '#proto/common/v1/shared_calls.ts';
import { traceparentKey } from './spans.ts';
import { callerKey, errorDetailKey, sharedCallsMax } from './wire.ts';

/** Well below what gRPC takes as one message. */
const chunkBytesMax = 1024 * 1024;
/** What fits into a message of 4 MiB, gRPC's usual limit, with room for what is around it. */
const answerBytesMax = 4 * 1024 * 1024 - 64 * 1024;

type UnaryHandler = (call: ServerUnaryCall<unknown, unknown>, callback: sendUnaryData<unknown>) => void;

interface Rpc {
  readonly handle: UnaryHandler;
  readonly read: (bytes: Buffer) => unknown;
  readonly write: (response: unknown) => Buffer;
}

/** Lets the unary RPCs of a service be called several at a time, each as if it had come alone. */
export function addSharedCalls(
  server: Server,
  definition: ServiceDefinition,
  implementation: UntypedServiceImplementation,
): void {
  const rpcs = new Map<string, Rpc>();
  for (const [name, { path, requestDeserialize, responseSerialize }] of Object.entries(definition)) {
    const handle = implementation[name] as UnaryHandler | undefined;
    if (handle !== undefined) rpcs.set(path, { handle, read: requestDeserialize, write: responseSerialize });
  }
  server.addService(SharedCallsServiceService, {
    share: (stream: ServerWritableStream<ShareRequest, ShareResponse>) => share(rpcs, stream),
  });
}

function share(rpcs: ReadonlyMap<string, Rpc>, stream: ServerWritableStream<ShareRequest, ShareResponse>): void {
  const { calls } = stream.request;
  // Nobody is known yet, and each call costs more than it weighs.
  if (calls.length > sharedCallsMax) {
    stream.emit('error', { code: status.INVALID_ARGUMENT, details: 'Too many calls.' });
    return;
  }
  let unanswered = calls.length;
  let ready: SharedAnswer[] = [];
  const send = () => {
    for (const answers of inChunks(ready)) stream.write({ answers });
    ready = [];
    if (unanswered === 0) stream.end();
  };
  const answer = (one: SharedAnswer) => {
    unanswered -= 1;
    // Answers of one turn share a message.
    if (ready.length === 0) setImmediate(send);
    ready.push(one);
  };
  if (calls.length === 0) stream.end();
  calls.forEach((call, index) => {
    carryOut(rpcs, call, (error, response) => answer(answerOf(index, error, response)));
  });
}

type Outcome = (error: Partial<ServiceError> | null, response?: Buffer) => void;

function carryOut(rpcs: ReadonlyMap<string, Rpc>, { path, request, caller, traceparent }: SharedCall, done: Outcome) {
  const rpc = rpcs.get(path);
  if (rpc === undefined) return done({ code: status.UNIMPLEMENTED, details: `There is no RPC ${path}.` });
  const metadata = new Metadata();
  metadata.set(callerKey, caller);
  if (traceparent !== '') metadata.set(traceparentKey, traceparent);
  let read: unknown;
  try {
    read = rpc.read(request as Buffer);
  } catch {
    return done({ code: status.INTERNAL, details: 'The request cannot be read.' });
  }
  const call = { request: read, metadata } as ServerUnaryCall<unknown, unknown>;
  rpc.handle(call, (error, response) => {
    if (error) return done(error);
    let written: Buffer;
    try {
      written = rpc.write(response);
    } catch {
      return done({ code: status.INTERNAL, details: 'The answer cannot be written.' });
    }
    // It would end the call for all that share it.
    if (written.length > answerBytesMax)
      return done({ code: status.RESOURCE_EXHAUSTED, details: 'The answer is too large.' });
    done(null, written);
  });
}

function answerOf(index: number, error: Partial<ServiceError> | null, response?: Buffer): SharedAnswer {
  const none = new Uint8Array();
  if (error === null) {
    return { index, response: response ?? none, status: status.OK, statusMessage: '', errorDetail: none };
  }
  const [detail] = error.metadata?.get(errorDetailKey) ?? [];
  return {
    index,
    response: none,
    status: error.code ?? status.UNKNOWN,
    statusMessage: error.details ?? '',
    errorDetail: detail instanceof Buffer ? detail : none,
  };
}

const sizeOf = ({ response, statusMessage, errorDetail }: SharedAnswer): number =>
  response.length + 3 * statusMessage.length + errorDetail.length;

function* inChunks(answers: readonly SharedAnswer[]): Generator<SharedAnswer[]> {
  let chunk: SharedAnswer[] = [];
  let bytes = 0;
  for (const answer of answers) {
    if (chunk.length > 0 && bytes + sizeOf(answer) > chunkBytesMax) {
      yield chunk;
      chunk = [];
      bytes = 0;
    }
    chunk.push(answer);
    bytes += sizeOf(answer);
  }
  if (chunk.length > 0) yield chunk;
}
