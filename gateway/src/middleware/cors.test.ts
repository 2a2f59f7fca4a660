import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ids, type Reply, startTestGateway, type TestGateway } from '../testing.ts';

const shop = 'https://shop.example.com';
let closed: TestGateway;
let open: TestGateway;
let some: TestGateway;
beforeAll(async () => {
  closed = await startTestGateway();
  open = await startTestGateway({ edge: { corsOrigins: '*' } });
  some = await startTestGateway({ edge: { corsOrigins: [shop, 'http://localhost:5173'] } });
});
afterAll(async () => {
  for (const gateway of [closed, open, some]) await gateway.stop();
});

const program = `/v2/loyalty/programs/${ids.program}`;
const cors = ({ headers }: Reply) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control')));
const preflight = (gateway: TestGateway, origin: string, path = program) =>
  gateway.send('OPTIONS', path, {
    headers: { origin, 'access-control-request-method': 'GET', 'access-control-request-headers': 'authorization' },
  });

test('closed, as it is unless configured, nobody is let in', async () => {
  for (const reply of [
    await preflight(closed, shop),
    await closed.send('GET', program, { token: 'user', headers: { origin: shop } }),
    await closed.send('GET', program, { headers: { origin: shop } }),
  ]) {
    expect(cors(reply)).toEqual({});
    expect(reply.headers.vary ?? '').not.toContain('Origin');
  }
});

describe('with origins named', () => {
  test('a preflight of one of them learns what it may do', async () => {
    const reply = await preflight(some, shop);
    expect([reply.status, reply.text, reply.headers.vary]).toEqual([204, '', 'Origin']);
    expect(cors(reply)).toEqual({
      'access-control-allow-origin': shop,
      'access-control-allow-methods': 'GET, HEAD, OPTIONS',
      'access-control-allow-headers':
        'Authorization, Content-Type, Idempotency-Key, If-None-Match, Accept-Language, X-Request-Id',
      'access-control-max-age': '7200',
      'access-control-expose-headers': expect.stringContaining('X-Request-Id'),
    });
  });

  test('each answer to it can be read, refusals and 304 too', async () => {
    const send = (method: string, path: string, token?: string, headers = {}) =>
      some.send(method, path, { headers: { origin: shop, ...headers }, ...(token && { token }) });
    const known = await send('GET', program, 'user');
    const replies = [
      known,
      await send('GET', program, 'user', { 'if-none-match': String(known.headers.etag) }),
      await send('GET', program),
      await send('GET', '/v2/nothing'),
      await send('DELETE', program),
      await send('POST', `/v2/giftcards/programs/x/cards`, 'user'),
      await send('GET', '/docs'),
    ];
    expect(replies.map(({ status }) => status)).toEqual([200, 304, 401, 404, 405, 422, 200]);
    for (const reply of replies) {
      expect(reply.headers.vary).toContain('Origin');
      expect(cors(reply)).toEqual({
        'access-control-allow-origin': shop,
        'access-control-expose-headers':
          'ETag, Idempotency-Replayed, Link, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, ' +
          'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id, X-Total-Count',
      });
    }
  });

  test.each([
    'https://shop.example.com.evil.example',
    'http://shop.example.com',
    'https://shop.example.com:8443',
    'https://SHOP.example.com',
    'null',
    '*',
  ])('%s is none of them', async (origin) => {
    for (const reply of [
      await preflight(some, origin),
      await some.send('GET', program, { token: 'user', headers: { origin } }),
    ]) {
      expect(cors(reply)).toEqual({});
      expect(reply.headers.vary).toContain('Origin');
    }
  });

  test('a request without an origin says that answers vary', async () => {
    const reply = await some.send('GET', program, { token: 'user' });
    expect([reply.headers.vary, cors(reply)]).toEqual(['Accept-Encoding, Origin', {}]);
  });
});

test('with *, everyone is let in, and answers do not vary', async () => {
  const reply = await open.send('GET', program, { token: 'user', headers: { origin: 'https://any.example' } });
  expect(cors(reply)).toMatchObject({ 'access-control-allow-origin': '*' });
  expect(reply.headers.vary).toBe('Accept-Encoding');
  expect(cors(await preflight(open, 'null'))).toMatchObject({ 'access-control-allow-origin': '*' });
});

test('cookies are never asked for, and a plain OPTIONS is no preflight', async () => {
  for (const gateway of [open, some]) {
    const reply = await gateway.send('OPTIONS', program, { headers: { origin: shop } });
    expect([reply.status, reply.headers.allow]).toEqual([204, 'GET, HEAD, OPTIONS']);
    expect(reply.headers['access-control-allow-methods']).toBeUndefined();
    expect(cors(await preflight(gateway, shop))['access-control-allow-credentials']).toBeUndefined();
  }
});
