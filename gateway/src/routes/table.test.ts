import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../testing.ts';
import type { Route } from './route.ts';
import { routes } from './table.ts';
import { pathOf, queryOf, validBody } from './testing.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
beforeEach(() => gateway.reset());
afterAll(() => gateway.stop());

const send = (route: Route, token: string | undefined) =>
  gateway.send(route.method.toUpperCase(), pathOf(route), { body: validBody(route), ...(token && { token }) });

test.each(routes.map((route) => [route.operationId, route] as const))(
  '%s answers what its response schema says',
  async (_name, route) => {
    const reply = await send(route, route.auth === 'admin' ? 'admin' : 'user');
    expect([reply.status, reply.text]).toEqual([route.success.status, expect.anything()]);
    expect(reply.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    if (route.success.status === 204) {
      expect([reply.text, reply.headers['content-type'], reply.headers['content-length']]).toEqual([
        '',
        undefined,
        undefined,
      ]);
      return;
    }
    expect(Number(reply.headers['content-length'])).toBe(Buffer.byteLength(reply.text));
    const type = reply.headers['content-type'] ?? '';
    expect(type).toContain(route.success.contentType ?? 'application/json');
    const parsed = route.success.schema.safeParse(type.includes('json') ? JSON.parse(reply.text) : reply.text);
    expect(parsed.error?.issues ?? []).toEqual([]);
  },
);

const guarded = routes.filter((route) => route.auth !== 'none');

test.each(guarded.map((route) => [route.operationId, route] as const))(
  '%s refuses a request without a token, and a bad one',
  async (_name, route) => {
    for (const token of [undefined, 'unknown']) {
      const reply = await gateway.send(route.method.toUpperCase(), pathOf(route), { ...(token && { token }) });
      expect(reply.status).toBe(401);
      expect(reply.body).toMatchObject({ code: 'unauthorized', status: 401, title: 'Unauthorized' });
      expect(reply.headers['www-authenticate']).toBe('Bearer');
      expect(reply.headers['content-type']).toBe('application/problem+json');
    }
  },
);

const scoped = routes.filter((route) => route.scope !== undefined);

test.each(scoped.map((route) => [route.operationId, route] as const))(
  '%s needs exactly its scope of an API key',
  async (_name, route) => {
    const refused = await send(route, 'key:');
    expect(refused.status).toBe(403);
    expect(refused.body).toMatchObject({ code: 'forbidden', scope: route.scope });
    const otherScopes = [...new Set(scoped.map(({ scope }) => scope))].filter((scope) => scope !== route.scope);
    expect((await send(route, `key:${otherScopes.join(',')}`)).status).toBe(403);
    expect((await send(route, `key:${route.scope}`)).status).toBe(route.success.status);
    const full = await send(route, 'full');
    expect(full.status).toBe(route.scope === 'giftcards:redeem' ? 403 : route.success.status);
    expect((await send(route, 'app')).status).toBe(route.success.status);
  },
);

test.each(routes.filter((route) => route.auth === 'user').map((route) => [route.operationId, route] as const))(
  '%s is for users and app keys, not for API keys',
  async (_name, route) => {
    for (const token of ['full', 'key:loyalty:read']) {
      const reply = await send(route, token);
      expect(reply.status).toBe(403);
      expect(reply.body).toMatchObject({ code: 'forbidden', scope: 'user' });
    }
    expect((await send(route, 'app')).status).toBe(route.success.status);
  },
);

const refusedOf = (route: Route, tokens: readonly string[]) => Promise.all(tokens.map((token) => send(route, token)));
const authOf = (kind: Route['auth']) =>
  routes.filter(({ auth }) => auth === kind).map((route) => [route.operationId, route] as const);

test.each(authOf('session'))('%s is for the access token of a log-in only', async (_name, route) => {
  for (const reply of await refusedOf(route, ['app', 'full', 'key:loyalty:read'])) {
    expect([reply.status, reply.body]).toEqual([403, expect.objectContaining({ code: 'forbidden', scope: 'user' })]);
  }
});

test.each(authOf('admin'))('%s is for administrators only', async (_name, route) => {
  for (const reply of await refusedOf(route, ['user', 'app', 'full', 'key:loyalty:read'])) {
    expect([reply.status, reply.body]).toEqual([403, expect.objectContaining({ code: 'forbidden', scope: 'admin' })]);
  }
});

test('a key without scopes may ask who it is, and nothing else', async () => {
  expect((await gateway.send('GET', '/v2/token', { token: 'key:' })).status).toBe(200);
  expect(
    guarded.filter((route) => route.scope === undefined && route.auth === 'bearer').map((r) => r.operationId),
  ).toEqual(['getToken']);
});

test.each(routes.filter((route) => route.request.params).map((route) => [route.operationId, route] as const))(
  '%s names every malformed id of its path',
  async (_name, route) => {
    const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name);
    const path = route.path.replace(/:\w+/g, 'ABC') + queryOf(route);
    const reply = await gateway.send(route.method.toUpperCase(), path, { token: 'admin', body: validBody(route) });
    expect(reply.status).toBe(422);
    expect(reply.body.detail).toEqual(
      names.map((name) => ({
        type: 'string_pattern_mismatch',
        loc: ['path', name],
        msg: "String should match pattern '^[0-9a-f]{24}$'",
        input: 'ABC',
        ctx: { pattern: '^[0-9a-f]{24}$' },
      })),
    );
  },
);

test('every operation has a name of its own, and its codes are known', () => {
  const names = routes.map(({ operationId }) => operationId);
  expect(new Set(names).size).toBe(names.length);
});
