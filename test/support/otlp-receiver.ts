import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

/** A span as it arrived. */
export interface ReceivedSpan {
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
}

/** A collector for OpenTelemetry's traces over HTTP, which keeps what arrives. */
export class OtlpReceiver {
  readonly spans: ReceivedSpan[] = [];
  /** All bytes that arrived, for tests that look for what must not be there. */
  readonly bodies: Buffer[] = [];
  readonly url: string;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async start(): Promise<OtlpReceiver> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const receiver = new OtlpReceiver(server);
    server.on('request', async (request: IncomingMessage, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const bytes = Buffer.concat(chunks);
      receiver.#take(request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes);
      response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
    });
    return receiver;
  }

  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.closeAllConnections();
      this.#server.close(() => resolve());
    });
  }

  #take(body: Buffer): void {
    this.bodies.push(body);
    for (const resourceSpans of all(body, 1)) {
      const service = attributesOf(first(resourceSpans, 1) ?? empty, 1).get('service.name') ?? '';
      for (const scope of all(resourceSpans, 2)) {
        for (const span of all(scope, 2)) this.spans.push({ service, ...toSpan(span) });
      }
    }
  }
}

const empty = Buffer.alloc(0);

function toSpan(span: Buffer) {
  const hex = (field: number) => (first(span, field) ?? empty).toString('hex');
  return {
    traceId: hex(1),
    spanId: hex(2),
    parentSpanId: hex(4),
    name: (first(span, 5) ?? empty).toString(),
    attributes: attributesOf(span, 9),
  };
}

/** Key and text or number of each KeyValue. */
function attributesOf(message: Buffer, field: number): Map<string, string> {
  const pairs = all(message, field).map((pair): [string, string] => {
    const value = first(pair, 2) ?? empty;
    return [(first(pair, 1) ?? empty).toString(), (first(value, 1) ?? empty).toString() || String(number(value, 3))];
  });
  return new Map(pairs);
}

const first = (message: Buffer, field: number) => all(message, field)[0];
const all = (message: Buffer, field: number) =>
  fieldsOf(message).flatMap((found) => (found.field === field && Buffer.isBuffer(found.value) ? [found.value] : []));
const number = (message: Buffer, field: number) =>
  fieldsOf(message).find((found) => found.field === field)?.value ?? '';

/** The fields of a protobuf message: bytes where the wire has bytes, numbers where it has varints. */
function fieldsOf(message: Buffer): { field: number; value: Buffer | bigint }[] {
  const fields: { field: number; value: Buffer | bigint }[] = [];
  let at = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = message[at++] ?? 0;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < message.length) {
    const tag = Number(varint());
    const length = [0, 8, 0, 0, 0, 4][tag & 7] ?? 0;
    if ((tag & 7) === 0) fields.push({ field: tag >> 3, value: varint() });
    else {
      const size = (tag & 7) === 2 ? Number(varint()) : length;
      fields.push({ field: tag >> 3, value: message.subarray(at, at + size) });
      at += size;
    }
  }
  return fields;
}
