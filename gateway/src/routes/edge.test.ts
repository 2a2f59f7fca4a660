import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type JsonSchema, SchemaCollector } from '../openapi/json-schema.ts';
import { type Reply, startTestGateway, type TestGateway } from '../testing.ts';
import { isStorable, type Route } from './route.ts';
import { routes } from './table.ts';
import { pathOf } from './testing.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
beforeEach(() => gateway.reset());
afterAll(() => gateway.stop());

const named = (some: readonly Route[]) => some.map((route) => [route.operationId, route] as const);
const reads = routes.filter(({ method }) => method === 'get');
const tokenFor = ({ auth }: Route) => (auth === 'admin' ? 'admin' : 'user');
const read = (route: Route, method: string, headers = {}) =>
  gateway.send(method, pathOf(route), { token: tokenFor(route), headers });

/** Headers that are the same for the same answer. */
const steady = ({ headers }: Reply) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !/^(x-request-id|date)$|ratelimit/.test(name)));

test.each(named(reads))('%s has the same headers for HEAD, and no body', async (_name, route) => {
  const [whole, head] = [await read(route, 'GET'), await read(route, 'HEAD')];
  expect([head.status, head.text, steady(head)]).toEqual([200, '', steady(whole)]);
  expect(Number(head.headers['content-length'])).toBe(whole.bytes.length);
});

test.each(named(reads.filter(isStorable)))('%s is a 304 for who has it', async (_name, route) => {
  const whole = await read(route, 'GET');
  expect(whole.headers['cache-control']).toMatch(/^(private, no-cache|public, max-age=\d+)$/);
  for (const method of ['GET', 'HEAD']) {
    const again = await read(route, method, { 'if-none-match': String(whole.headers.etag) });
    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', whole.headers.etag]);
  }
});

test.each(named(reads.filter((route) => !isStorable(route))))('%s is stored by nobody', async (_name, route) => {
  const reply = await read(route, 'GET', { 'if-none-match': '*', 'accept-encoding': 'gzip' });
  const { 'cache-control': caching, etag, 'content-encoding': coding } = reply.headers;
  expect([reply.status, caching, etag, coding]).toEqual([200, 'no-store', undefined, undefined]);
});

test('no answer that shows a secret may be stored', () => {
  const telling = reads.filter(({ success }) => {
    const schemas = new SchemaCollector();
    const shown = JSON.stringify([schemas.render(success.schema, 'output'), schemas.components]);
    return /"(sharedSecret|secret|token|access_token|refresh_token|securityCode|recoveryCodes)":/.test(shown);
  });
  expect(telling.filter(isStorable).map(({ operationId }) => operationId)).toEqual([]);
  expect(telling.length).toBeGreaterThan(0);
});

const byPath = [...Map.groupBy(routes, ({ path }) => path)];

test.each(byPath)('%s takes the methods that it names, and refuses the others', async (_path, sharing) => {
  const path = pathOf(sharing[0] as Route);
  const methods = sharing.map(({ method }) => method.toUpperCase());
  const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'];
  const options = await gateway.send('OPTIONS', path);
  expect([options.status, options.headers.allow]).toEqual([204, allow.join(', ')]);
  for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND']) {
    if (allow.includes(method)) continue;
    const reply = await gateway.send(method, path);
    expect([method, reply.status, reply.headers.allow]).toEqual([method, 405, allow.join(', ')]);
  }
});

describe('addresses', () => {
  const path = '/v2/loyalty/programs';
  test('one slash at the end is no other address', async () => {
    expect((await gateway.send('GET', `${path}/`, { token: 'user' })).status).toBe(200);
  });

  test.each(['/V2/loyalty/programs', '/v2//loyalty/programs', '/v2/loyalty/programs//', '//v2/loyalty/programs'])(
    '%s is another, and there is nothing',
    async (other) => expect((await gateway.send('GET', other, { token: 'user' })).status).toBe(404),
  );
});

/** Parts of a request's shape that would take any number of characters, items or members. */
function unbounded(schema: JsonSchema, components: Readonly<Record<string, JsonSchema>>, at: string): string[] {
  const name = schema.$ref?.split('/').at(-1);
  if (name !== undefined) return unbounded(components[name] ?? {}, components, at);
  const within = [
    ...Object.entries(schema.properties ?? {}).flatMap(([key, part]) => unbounded(part, components, `${at}.${key}`)),
    ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap((part) => unbounded(part, components, at)),
    ...(schema.items === undefined ? [] : unbounded(schema.items, components, `${at}[]`)),
  ];
  if (schema.type === 'array' && schema.maxItems === undefined) within.push(`${at}: items`);
  if (schema.type === 'object' && schema.additionalProperties !== false) within.push(`${at}: members`);
  const isOpen = [schema.maxLength, schema.enum, schema.const, schema.pattern, schema.format].every(
    (bound) => bound === undefined,
  );
  if (schema.type === 'string' && isOpen) within.push(`${at}: characters`);
  return within;
}

test.each(named(routes.filter(({ request }) => request.body !== undefined)))(
  '%s takes a bounded number of everything',
  (_name, route) => {
    const schemas = new SchemaCollector();
    const shape = schemas.render(route.request.body!, 'input');
    expect(unbounded(shape, schemas.components, 'body')).toEqual([]);
  },
);
