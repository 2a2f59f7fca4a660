import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Span } from './spans.ts';
import { startTracing, stopTracing, traced, tracing } from './tracing.ts';

let url: string;
const bodies: Buffer[] = [];
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  bodies.push(request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body);
  response.end();
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  await stopTracing();
  bodies.length = 0;
});
afterAll(() => void server.close());

const start = { name: 'work', kind: 'server', attributes: {} } as const;
const nothing = () => ({});

/** The exporter reads the process's own environment. */
async function begin(): Promise<void> {
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = url;
  await startTracing('test', process.env);
}

test.each([
  {},
  { OTEL_EXPORTER_OTLP_ENDPOINT: '' },
  { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_SDK_DISABLED: 'true' },
  { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_TRACES_EXPORTER: 'none' },
])('with %j there is no tracing, and work is just done', async (env) => {
  await startTracing('test', env);
  expect(tracing()).toBeUndefined();
  const never = () => {
    throw new Error('a span was made');
  };
  expect(await traced(never, async (span) => span ?? 'done', nothing)).toBe('done');
});

test('a span goes on with the trace of its parent, and what is inside it too', async () => {
  await begin();
  const traceId = randomBytes(16).toString('hex');
  const parent = `00-${traceId}-00f067aa0ba902b7-01`;
  let inner: Span | undefined;
  await traced(
    () => ({ ...start, parent }),
    async () => {
      expect(tracing()?.traceparent()).toContain(traceId);
      await new Promise(setImmediate);
      inner = tracing()?.start({ ...start, name: 'inner' });
      inner?.end();
    },
    nothing,
  );
  expect(inner?.traceparent).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`));
  expect(tracing()?.traceparent()).toBeUndefined();
});

test.each(['', 'x', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, `ff-${'a'.repeat(32)}-00f067aa0ba902b7-01`])(
  'a malformed traceparent (%j) begins a trace of its own',
  async (parent) => {
    await begin();
    const span = tracing()?.start({ ...start, parent });
    expect(span?.traceparent).toMatch(/^00-(?!0{32}|a{32})[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    span?.end();
  },
);

test('spans are sent when the process stops, with the service and what went wrong', async () => {
  await begin();
  const failing = traced(
    () => ({ ...start, name: 'broken', attributes: { 'rpc.method': 'Transfer' } }),
    async () => {
      throw new Error('secret text of an error');
    },
    () => ({ fault: 'INTERNAL' }),
  );
  await expect(failing).rejects.toThrow('secret');
  await stopTracing();
  const sent = Buffer.concat(bodies).toString('latin1');
  for (const part of ['tallycard-test', 'broken', 'rpc.method', 'Transfer', 'INTERNAL']) expect(sent).toContain(part);
  expect(sent).not.toContain('secret text');
});
