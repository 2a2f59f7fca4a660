import { credentials, Server, ServerCredentials, type ServiceError, status } from '@grpc/grpc-js';
import { afterEach, expect, jest, test } from '@jest/globals';
import { SharedCallsServiceClient } from '#proto/common/v1/shared_calls.ts';
import {
  type Template,
  TemplatesServiceClient,
  type TemplatesServiceServer,
  TemplatesServiceService,
} from '#proto/templates/v1/templates.ts';
import { AppError } from '../errors.ts';
import { createTestLogger, testCaller } from '../testing.ts';
import { createRpcClient, type RpcClient } from './client.ts';
import { type Handlers, startGrpcServer } from './server.ts';

const callerSecret = Buffer.alloc(32, 7);
const caller = testCaller({ kind: 'user', merchantId: 'a00000000000000000000001' });
const at = new Date('2026-11-21T10:00:00.000Z');
const templateOf = (id: string, name = 'Spring'): Template => ({
  id,
  merchantId: caller.merchantId,
  name,
  passStyle: 'coupon',
  createdAt: at,
  updatedAt: at,
});

type GetTemplate = Handlers<TemplatesServiceServer>['getTemplate'];
let stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.reverse()) await stop();
  stops = [];
});

/** A client of a service, and the calls that reach the service: how many of what. */
async function serve(getTemplate: GetTemplate, secret = callerSecret) {
  const logger = createTestLogger();
  const outcomes: string[] = [];
  const server = await startGrpcServer<TemplatesServiceServer>(
    TemplatesServiceService,
    { getTemplate } as Handlers<TemplatesServiceServer>,
    {
      host: '127.0.0.1',
      port: 0,
      callerSecret,
      logger,
      metrics: { observe: (rpc: string, code: string) => outcomes.push(`${rpc} ${code}`) } as never,
    },
  );
  const client = clientOf(server.port, secret);
  stops.push(() => server.stop(1_000));
  return { client, outcomes, logger, port: server.port };
}

function clientOf(port: number, secret = callerSecret): RpcClient<TemplatesServiceClient> {
  const client = createRpcClient(TemplatesServiceClient, `127.0.0.1:${port}`, secret);
  stops.push(() => client.close());
  return client;
}

const settle = (calls: readonly Promise<unknown>[]) => Promise.allSettled(calls);

test('calls of one moment each get their own answer, refusal or fault', async () => {
  const { client, outcomes, logger } = await serve(async ({ id }, context) => {
    if (id === 'refused') throw new AppError('conflict', 'taken', 'It is taken.', { by: 7 });
    if (id === 'bug') throw new Error('secret detail');
    return templateOf(id, context.caller.requestId);
  });
  const ids = ['a', 'refused', 'b', 'bug', 'c'];
  const results = await settle(ids.map((id) => client.getTemplate({ id }, { ...caller, requestId: `of-${id}` })));
  const [a, refused, b, bug, c] = results.map((result) =>
    result.status === 'fulfilled' ? result.value : result.reason,
  );
  expect([a, b, c]).toEqual([templateOf('a', 'of-a'), templateOf('b', 'of-b'), templateOf('c', 'of-c')]);
  expect(refused).toBeInstanceOf(AppError);
  expect(refused).toMatchObject({ kind: 'conflict', code: 'taken', message: 'It is taken.', details: { by: 7 } });
  expect(String(bug)).not.toContain('secret detail');
  expect(logger.lines.join()).toContain('secret detail');
  expect(outcomes.sort()).toEqual(['ok', 'ok', 'ok', 'internal', 'taken'].map((code) => `getTemplate ${code}`).sort());
});

test('calls of one moment share a call, up to 64; a lone one goes as it is', async () => {
  const { client } = await serve(async ({ id }) => templateOf(id));
  const shared = jest.spyOn(TemplatesServiceClient.prototype, 'makeServerStreamRequest');
  await client.getTemplate({ id: 'alone' }, caller);
  expect(shared).toHaveBeenCalledTimes(0);
  await Promise.all(Array.from({ length: 64 }, (_, index) => client.getTemplate({ id: `${index}` }, caller)));
  expect(shared).toHaveBeenCalledTimes(1);
  await Promise.all(Array.from({ length: 65 }, (_, index) => client.getTemplate({ id: `${index}` }, caller)));
  expect(shared).toHaveBeenCalledTimes(2);
  shared.mockRestore();
});

test('each call is checked for its own caller', async () => {
  const { client } = await serve(async ({ id }) => templateOf(id), Buffer.alloc(32, 8));
  const results = await settle([client.getTemplate({ id: 'a' }, caller), client.getTemplate({ id: 'b' }, caller)]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});

test('a slow call holds up no other', async () => {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { client } = await serve(async ({ id }) => {
    if (id === 'slow') await held;
    return templateOf(id);
  });
  const slow = client.getTemplate({ id: 'slow' }, caller);
  expect(await client.getTemplate({ id: 'quick' }, caller)).toMatchObject({ id: 'quick' });
  const together = [client.getTemplate({ id: 'slow' }, caller), client.getTemplate({ id: 'quick' }, caller)] as const;
  expect(await together[1]).toMatchObject({ id: 'quick' });
  release();
  expect([await slow, await together[0]]).toMatchObject([{ id: 'slow' }, { id: 'slow' }]);
});

test('hundreds at once, large requests and large answers all arrive', async () => {
  const { client } = await serve(async ({ id }) => templateOf(id.slice(0, 24), id.startsWith('big') ? id : 'x'));
  const big = `big${'x'.repeat(300_000)}`;
  const ids = Array.from({ length: 400 }, (_, index) => (index % 20 === 0 ? big : `${index}`));
  const answers = await Promise.all(ids.map((id) => client.getTemplate({ id }, caller)));
  expect(answers.map(({ id }) => id)).toEqual(ids.map((id) => id.slice(0, 24)));
  expect(answers[0]?.name).toHaveLength(big.length);
});

test('who gives up hears so at once, and the others get their answers', async () => {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { client } = await serve(async ({ id }) => {
    await held;
    return templateOf(id);
  });
  const gone = new AbortController();
  const calls = [
    client.getTemplate({ id: 'a' }, caller, { signal: gone.signal }),
    client.getTemplate({ id: 'b' }, caller),
  ] as const;
  setTimeout(() => gone.abort(), 20);
  await expect(calls[0]).rejects.toMatchObject({ code: 1 });
  release();
  expect(await calls[1]).toMatchObject({ id: 'b' });
});

test('a deadline ends calls that share one, and a service that dies ends them as unavailable', async () => {
  const { client } = await serve(() => new Promise(() => undefined));
  const calls = ['a', 'b'].map((id) => client.getTemplate({ id }, caller, { deadlineMs: 200 }));
  for (const result of await settle(calls)) expect(result).toMatchObject({ reason: { kind: 'unavailable' } });
  const nobody = clientOf(1);
  const lost = ['a', 'b'].map((id) => nobody.getTemplate({ id }, caller));
  for (const result of await settle(lost)) expect(result).toMatchObject({ reason: { kind: 'unavailable' } });
});

test('a service that does not know shared calls is called alone', async () => {
  const server = new Server();
  server.addService(TemplatesServiceService, {
    getTemplate: (call: { request: { id: string } }, callback: (error: null, answer: Template) => void) =>
      callback(null, templateOf(call.request.id)),
  });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  stops.push(() => server.forceShutdown());
  const client = clientOf(port);
  const answers = await Promise.all(['a', 'b', 'c'].map((id) => client.getTemplate({ id }, caller)));
  expect(answers.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
});

test('an answer that is too large or cannot be written fails its own call alone', async () => {
  const { client } = await serve(async ({ id }) => {
    if (id === 'large') return templateOf(id, 'x'.repeat(5 * 1024 * 1024));
    if (id === 'broken') return { ...templateOf(id), createdAt: new Date(Number.NaN) };
    return templateOf(id);
  });
  const results = await settle(['a', 'large', 'broken', 'b'].map((id) => client.getTemplate({ id }, caller)));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
  expect(results[1]).toMatchObject({ reason: { code: status.RESOURCE_EXHAUSTED } });
  expect(results[2]).toMatchObject({ reason: { code: status.INTERNAL } });
});

test('a request that cannot be written fails its own call alone', async () => {
  const { client } = await serve(async ({ id }) => templateOf(id));
  const unwritable = {
    get id(): string {
      throw new RangeError('out of range');
    },
  };
  const calls = [{ id: 'a' }, unwritable, { id: 'b' }].map((request) => client.getTemplate(request, caller));
  expect((await settle(calls)).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  const alone = client.getTemplate(unwritable, caller);
  await expect(alone).rejects.toThrow(/out of range|serializ/i);
});

test('more calls than a client sends together are refused before anything is done', async () => {
  const { client, outcomes, port } = await serve(async ({ id }) => templateOf(id));
  const raw = new SharedCallsServiceClient(`127.0.0.1:${port}`, credentials.createInsecure());
  stops.push(() => raw.close());
  const call = { path: '', request: Buffer.alloc(0), caller: '', traceparent: '' };
  const stream = raw.share({ calls: Array.from({ length: 65 }, () => call) });
  const error = await new Promise<Partial<ServiceError>>((resolve) => stream.on('error', resolve).resume());
  expect(error.code).toBe(status.INVALID_ARGUMENT);
  expect(outcomes).toEqual([]);
  expect(await client.getTemplate({ id: 'a' }, caller)).toMatchObject({ id: 'a' });
});

test('calls that are made or repeated when the client is closed are rejected', async () => {
  const client = clientOf(1);
  const calls = ['a', 'b'].map((id) => client.getTemplate({ id }, caller));
  client.close();
  const late = ['c', 'd'].map((id) => client.getTemplate({ id }, caller));
  for (const result of await settle([...calls, ...late])) expect(result.status).toBe('rejected');
  await expect(client.getTemplate({ id: 'e' }, caller)).rejects.toMatchObject({ kind: 'unavailable' });
});
