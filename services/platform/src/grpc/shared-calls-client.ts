import {
  type Client,
  type ClientReadableStream,
  type ClientUnaryCall,
  Metadata,
  type ServiceError,
  status,
} from '@grpc/grpc-js';
import { type SharedAnswer, SharedCallsServiceService, type ShareResponse } from '#proto/common/v1/shared_calls.ts';
import { traceparentKey } from './spans.ts';
import { callerKey, errorDetailKey, sharedCallsMax } from './wire.ts';

/** Requests together; a larger one goes alone. */
const requestBytesMax = 256 * 1024;

/** A unary RPC of a ts-proto client, with what grpc-js leaves on it. */
export interface UnaryRpc {
  (
    request: unknown,
    metadata: Metadata,
    options: { deadline: number },
    callback: (error: ServiceError | null, response: unknown) => void,
  ): ClientUnaryCall;
  readonly path: string;
  requestSerialize(request: unknown): Buffer;
  responseDeserialize(bytes: Buffer): unknown;
}

/** One call that waits to be sent. */
export interface UnaryCall {
  readonly rpc: UnaryRpc;
  readonly request: unknown;
  /** Signed. */
  readonly caller: string;
  /** W3C Trace Context; empty when nothing is traced. */
  readonly traceparent: string;
  /** In ms since 1970. Only calls of one deadline share a call. */
  readonly deadline: number;
  /** Ends the wait for an answer; a call that others share goes on. */
  readonly signal: AbortSignal | undefined;
}

interface Waiting extends UnaryCall {
  resolve(response: unknown): void;
  reject(error: unknown): void;
}

const { share } = SharedCallsServiceService;

/**
 * Sends the unary calls of one client. Those that are made in one turn of the event loop share a call to the service,
 * because setting a call up costs several times what a message does; a lone call goes as it is, and is not delayed.
 */
export class SharedCalls {
  readonly #client: () => Client;
  #waiting: Waiting[] = [];

  /** @param client gives the one to call now. */
  constructor(client: () => Client) {
    this.#client = client;
  }

  /** Rejects with a `ServiceError`, as the call alone would. */
  send(call: UnaryCall): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) setImmediate(() => this.#flush());
      this.#waiting.push({ ...call, resolve, reject });
    });
  }

  #flush(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    const wanted = waiting.filter((call) => {
      if (call.signal?.aborted) call.reject(serviceError(status.CANCELLED, 'Cancelled before it was sent.'));
      return !call.signal?.aborted;
    });
    for (const calls of Map.groupBy(wanted, ({ deadline }) => deadline).values()) {
      if (calls.length === 1) this.#sendAlone(calls[0] as Waiting);
      else this.#sendTogether(calls);
    }
  }

  #sendTogether(calls: readonly Waiting[]): void {
    let batch: { call: Waiting; bytes: Buffer }[] = [];
    let size = 0;
    const close = () => {
      if (batch.length === 1) this.#sendAlone(batch[0]?.call as Waiting);
      else if (batch.length > 1) this.#share(batch);
      batch = [];
      size = 0;
    };
    for (const call of calls) {
      const bytes = this.#serialize(call);
      if (bytes === undefined) continue;
      if (batch.length === sharedCallsMax || size + bytes.length > requestBytesMax) close();
      batch.push({ call, bytes });
      size += bytes.length;
    }
    close();
  }

  /** @returns undefined when the request cannot be written, and then its call has ended. */
  #serialize({ rpc, request, reject }: Waiting): Buffer | undefined {
    try {
      return rpc.requestSerialize(request);
    } catch (error) {
      reject(serviceError(status.INTERNAL, `The request cannot be written: ${(error as Error).message}`));
      return undefined;
    }
  }

  #sendAlone({ rpc, request, caller, traceparent, deadline, signal, resolve, reject }: Waiting): void {
    const metadata = new Metadata();
    metadata.set(callerKey, caller);
    if (traceparent !== '') metadata.set(traceparentKey, traceparent);
    let call: ClientUnaryCall | undefined;
    const cancel = () => call?.cancel();
    try {
      call = rpc.call(this.#client(), request, metadata, { deadline }, (error, response) => {
        signal?.removeEventListener('abort', cancel);
        if (error) reject(error);
        else resolve(response);
      });
      signal?.addEventListener('abort', cancel, { once: true });
    } catch (error) {
      reject(notSent(error));
    }
  }

  #share(batch: readonly { call: Waiting; bytes: Buffer }[]): void {
    const request = { calls: batch.map(({ call, bytes }) => messageOf(call, bytes)) };
    const options = { deadline: batch[0]?.call.deadline ?? 0 };
    let stream: ClientReadableStream<ShareResponse>;
    try {
      stream = this.#client().makeServerStreamRequest(
        share.path,
        share.requestSerialize,
        share.responseDeserialize,
        request,
        new Metadata(),
        options,
      );
    } catch (error) {
      for (const { call } of batch) call.reject(notSent(error));
      return;
    }
    const open = new OpenCalls(
      batch.map(({ call }) => call),
      () => stream.cancel(),
    );
    stream.on('data', ({ answers }: ShareResponse) => {
      for (const answer of answers) open.settle(answer);
    });
    stream.on('error', (error: ServiceError) => {
      // A service of an older version: nothing was begun.
      if (error.code === status.UNIMPLEMENTED) for (const call of open.take()) this.#sendAlone(call);
      for (const call of open.take()) call.reject(error);
    });
    stream.on('end', () => {
      for (const call of open.take()) call.reject(serviceError(status.UNKNOWN, 'The call was not answered.'));
    });
  }
}

/** The calls of one shared call that have no answer yet. */
class OpenCalls {
  readonly #calls: (Waiting | undefined)[];
  readonly #listeners = new Map<Waiting, () => void>();
  #left: number;

  /** @param abandon called when nobody waits for an answer any more. */
  constructor(calls: readonly Waiting[], abandon: () => void) {
    this.#calls = [...calls];
    this.#left = calls.length;
    for (const [index, call] of calls.entries()) {
      if (call.signal === undefined) continue;
      const gone = () => {
        this.#close(index)?.reject(serviceError(status.CANCELLED, 'The caller is gone.'));
        if (this.#left === 0) abandon();
      };
      call.signal.addEventListener('abort', gone, { once: true });
      this.#listeners.set(call, gone);
    }
  }

  settle({ index, response, status: code, statusMessage, errorDetail }: SharedAnswer): void {
    const call = this.#close(index);
    if (call === undefined) return;
    if (code !== status.OK) {
      call.reject(serviceError(code, statusMessage, errorDetail));
      return;
    }
    try {
      call.resolve(call.rpc.responseDeserialize(response as Buffer));
    } catch {
      call.reject(serviceError(status.INTERNAL, 'The answer cannot be read.'));
    }
  }

  /** Closes what is open, and returns it. */
  take(): Waiting[] {
    return this.#calls.map((_, index) => this.#close(index)).filter((call) => call !== undefined);
  }

  #close(index: number): Waiting | undefined {
    const call = this.#calls[index];
    if (call === undefined) return undefined;
    this.#calls[index] = undefined;
    this.#left -= 1;
    const listener = this.#listeners.get(call);
    if (listener !== undefined) call.signal?.removeEventListener('abort', listener);
    return call;
  }
}

const messageOf = ({ rpc, caller, traceparent }: Waiting, request: Buffer) => ({
  path: rpc.path,
  request,
  caller,
  traceparent,
});

/** The client was closed meanwhile. */
const notSent = (error: unknown) => serviceError(status.UNAVAILABLE, (error as Error).message);

function serviceError(code: status, details: string, errorDetail?: Uint8Array): ServiceError {
  const metadata = new Metadata();
  if (errorDetail !== undefined && errorDetail.length > 0) metadata.set(errorDetailKey, Buffer.from(errorDetail));
  return Object.assign(new Error(`${code} ${details}`), { code, details, metadata });
}
