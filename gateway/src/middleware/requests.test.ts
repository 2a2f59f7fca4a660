import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ids, startTestGateway, type TestGateway } from '../testing.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
beforeEach(() => gateway.reset());
afterAll(() => gateway.stop());

const card = `/v2/giftcards/programs/${ids.program}/cards/${ids.card}`;
const redeem = (body: unknown, headers: Record<string, string> = {}) =>
  gateway.send('POST', `${card}/redeem`, { token: 'user', body, headers });

describe('addresses and methods', () => {
  test('an unknown address is a 404, with or without a token', async () => {
    const reply = await gateway.send('GET', '/v2/nothing');
    expect(reply.status).toBe(404);
    expect(reply.body).toEqual({
      type: 'about:blank',
      title: 'Not Found',
      status: 404,
      detail: 'There is nothing at this address.',
      code: 'not_found',
      requestId: reply.headers['x-request-id'],
    });
  });

  test('a method that the address does not take is a 405 that names those it takes, before any token', async () => {
    const reply = await gateway.send('DELETE', '/v2/token');
    expect(reply.status).toBe(405);
    expect(reply.body.code).toBe('method_not_allowed');
    expect(reply.headers.allow).toBe('POST, GET, HEAD, OPTIONS');
  });

  test('OPTIONS tells the methods, and opens nothing to other origins', async () => {
    const reply = await gateway.send('OPTIONS', '/v2/token', { headers: { origin: 'https://evil.example' } });
    expect([reply.status, reply.headers.allow]).toEqual([204, 'POST, GET, HEAD, OPTIONS']);
    expect(reply.headers['access-control-allow-origin']).toBeUndefined();
  });

  test('HEAD answers as GET does, without the body', async () => {
    const [get, head] = [
      await gateway.send('GET', card, { token: 'user' }),
      await gateway.send('HEAD', card, { token: 'user' }),
    ];
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers['content-length']).toBe(get.headers['content-length']);
  });

  test('an address that cannot be decoded is a 400', async () => {
    const reply = await gateway.send('GET', '/v2/templates/%ff', { token: 'user' });
    expect([reply.status, reply.body.code]).toEqual([400, 'bad_request']);
  });

  test('what is no HTTP at all is answered in the same form', async () => {
    const text = await new Promise<string>((resolve) => {
      const socket = connect(gateway.port, '127.0.0.1', () => socket.write('NONSENSE\r\n\r\n'));
      let received = '';
      socket.on('data', (chunk) => {
        received += chunk.toString();
      });
      socket.on('close', () => resolve(received));
    });
    expect(text).toMatch(
      /^HTTP\/1.1 400 [\s\S]*application\/problem\+json[\s\S]*X-Request-Id: [\s\S]*"code":"bad_request"/,
    );
  });

  test('headers over the bound are a 431', async () => {
    const reply = await gateway.send('GET', '/status', { headers: { 'x-long': 'x'.repeat(20_000) } });
    expect([reply.status, reply.body.code]).toEqual([431, 'headers_too_large']);
  });
});

describe('request ids', () => {
  test('a fit one is kept, in the answer and for the services', async () => {
    const reply = await gateway.send('GET', card, { token: 'user', headers: { 'x-request-id': 'till-7_2027.01' } });
    expect(reply.headers['x-request-id']).toBe('till-7_2027.01');
    expect(gateway.calls.at(-1)?.caller).toEqual({
      kind: 'user',
      merchantId: ids.merchant,
      userId: ids.merchant,
      credentialId: 'f00000000000000000000001',
      requestId: 'till-7_2027.01',
      ip: '127.0.0.1',
    });
  });

  test.each([['a b'], ['x'.repeat(129)], ['{"a":1}'], ['']])('%j is replaced', async (id) => {
    const reply = await gateway.send('GET', '/v2/nothing', { headers: { 'x-request-id': id } });
    expect(reply.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('bodies', () => {
  test('a body of another media type, or none named, is a 415', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', '']) {
      const reply = await redeem('amount=5', { 'content-type': type });
      expect([reply.status, reply.body.code]).toEqual([415, 'unsupported_media_type']);
      expect(reply.headers.accept).toBe('application/json');
    }
    const packed = await redeem({ amount: 5 }, { 'content-encoding': 'gzip' });
    expect(packed.status).toBe(415);
  });

  test.each(['application/json; charset=utf-8', 'Application/JSON', 'application/merge-patch+json'])(
    '%s is JSON',
    async (type) => expect((await redeem({ amount: 5 }, { 'content-type': type })).status).toBe(200),
  );

  test('over 1 MiB is a 413, whether its length is told or not', async () => {
    const body = JSON.stringify({ amount: 5, description: 'x'.repeat(1024 * 1024) });
    const told = await redeem(body);
    expect([told.status, told.body.code, told.headers.connection]).toEqual([413, 'payload_too_large', 'close']);
    const untold = await redeem(body, { 'transfer-encoding': 'chunked' });
    expect([untold.status, untold.body.code]).toEqual([413, 'payload_too_large']);
  });

  test('exactly 1 MiB is read', async () => {
    const frame = JSON.stringify({ amount: 5, description: '' });
    const body = frame.replace('""', `"${'x'.repeat(1024 * 1024 - frame.length)}"`);
    expect((await redeem(body)).status).toBe(422);
  });

  test('broken JSON is a 422 that says where, and not what', async () => {
    const reply = await redeem('{"amount": 5, "securityCode": 123456x}');
    expect(reply.status).toBe(422);
    expect(reply.headers['content-type']).toBe('application/json');
    expect(reply.body).toEqual({
      detail: [
        {
          type: 'json_invalid',
          loc: ['body', '36'],
          msg: 'JSON decode error',
          input: {},
          ctx: { error: "Expecting ',' delimiter" },
        },
      ],
    });
  });

  test('bytes that are no UTF-8 are a 422', async () => {
    const status = await new Promise<string>((resolve) => {
      const bytes = Buffer.concat([Buffer.from('{"amount":"'), Buffer.from([0xff]), Buffer.from('"}')]);
      const socket = connect(gateway.port, '127.0.0.1', () => {
        socket.write(
          `POST ${card}/redeem HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer user\r\nContent-Type: application/json\r\nContent-Length: ${bytes.length}\r\nConnection: close\r\n\r\n`,
        );
        socket.write(bytes);
      });
      let received = '';
      socket.on('data', (chunk) => {
        received += chunk.toString();
      });
      socket.on('close', () => resolve(received));
    });
    expect(status).toMatch(/^HTTP\/1.1 422 [\s\S]*json_invalid/);
  });

  test('a body that is needed and absent is missing at ["body"]; a list is no object', async () => {
    for (const absent of [undefined, 'null']) {
      expect((await redeem(absent)).body.detail).toEqual([
        { type: 'missing', loc: ['body'], msg: 'Field required', input: null },
      ]);
    }
    expect((await redeem([1])).body.detail).toEqual([
      {
        type: 'model_attributes_type',
        loc: ['body'],
        msg: 'Input should be a valid dictionary or object to extract fields from',
        input: [1],
      },
    ]);
  });

  test('activate and unsuspend can do without one', async () => {
    for (const action of ['activate', 'unsuspend']) {
      expect((await gateway.send('POST', `${card}/${action}`, { token: 'user' })).status).toBe(200);
    }
  });

  test('an amount with more digits than a double holds is seen as it was written', async () => {
    const reply = await redeem('{"amount": 10.000000000000000001}');
    expect(reply.body.detail).toMatchObject([{ type: 'decimal_max_places', loc: ['body', 'amount'], input: 10 }]);
    expect((await redeem('{"amount": 10.000000000000000000, "description": "1234567890123456"}')).status).toBe(200);
    expect(gateway.calls.at(-1)?.request).toMatchObject({ amountMinor: 1000n, description: '1234567890123456' });
  });

  test.each<[string, (value: string) => string, string[]]>([
    [
      '/v2/signup/pending',
      (value) =>
        `{"email":"ada@example.com","passwordHash":"0123456789","name":"Ada","company":"A","country":"GB","utm":${value}}`,
      ['body', 'utm'],
    ],
    ['/v2/loyalty/programs', (value) => `{"name":"Club","giftCard":${value}}`, ['body', 'giftCard']],
    [
      `/v2/loyalty/programs/${ids.program}/rules`,
      (value) => `{"name":"R","trigger":"customer.enrolled","actions":[${value}]}`,
      ['body', 'actions', '0'],
    ],
  ])('a number is no object, however many digits it has: %s', async (path, bodyWith, loc) => {
    for (const value of ['5', '12345678901234567890']) {
      const reply = await gateway.send('POST', path, { token: 'user', body: bodyWith(value) });
      expect(reply.status).toBe(422);
      expect(reply.body.detail).toEqual([
        {
          type: 'model_attributes_type',
          loc,
          msg: 'Input should be a valid dictionary or object to extract fields from',
          input: Number(value),
        },
      ]);
    }
  });
});

describe('the order of checks', () => {
  test('401, then 403, then 415, then 422', async () => {
    const send = (token: string | undefined, type: string) =>
      gateway.send('POST', `/v2/giftcards/programs/bad/cards/bad/redeem`, {
        ...(token && { token }),
        body: '{}',
        headers: { 'content-type': type },
      });
    expect((await send(undefined, 'text/plain')).status).toBe(401);
    expect((await send('key:giftcards:read', 'text/plain')).status).toBe(403);
    expect((await send('user', 'text/plain')).status).toBe(415);
    expect((await send('user', 'application/json')).status).toBe(422);
    expect(gateway.calls.filter(({ rpc }) => rpc !== 'authenticate')).toEqual([]);
  });

  test('every fault of path, query, header and body is in one answer; unknown query parameters are not faults', async () => {
    const reply = await gateway.send('POST', '/v2/giftcards/programs/short/cards?cardId=nope&utm=x', {
      token: 'user',
      headers: { 'idempotency-key': 'x'.repeat(256) },
      body: { initialValue: 10_000.01, customerEmail: 'nobody', colour: 'red', isPhysical: 'perhaps' },
    });
    expect(reply.status).toBe(422);
    expect(
      (reply.body.detail as { loc: string[]; type: string }[]).map(({ loc, type }) => [...loc, type].join(' ')),
    ).toEqual([
      'path programId string_pattern_mismatch',
      'query cardId string_pattern_mismatch',
      'header idempotency-key string_too_long',
      'body initialValue less_than_equal',
      'body customerEmail value_error',
      'body isPhysical bool_parsing',
      'body colour extra_forbidden',
    ]);
  });

  test('a repeated query parameter counts once, with its last value', async () => {
    const path = `/v2/giftcards/programs/${ids.program}/cards?limit=x&limit=7`;
    expect((await gateway.send('GET', path, { token: 'user' })).status).toBe(200);
    expect(gateway.calls.at(-1)?.request).toMatchObject({ page: { offset: 0, limit: 7 } });
  });

  test.each([
    ['', 'string_too_short'],
    ['x'.repeat(256), 'string_too_long'],
    ['käse', 'string_pattern_mismatch'],
  ])('the idempotency key %j is refused', async (key, type) => {
    const reply = await redeem({ amount: 5 }, { 'idempotency-key': key });
    expect(reply.body.detail).toMatchObject([{ loc: ['header', 'idempotency-key'], type }]);
  });
});

test('answers carry the headers that keep browsers careful, and none that names our software', async () => {
  for (const path of ['/status', '/v2/nothing']) {
    const reply = await gateway.send('GET', path);
    expect(reply.headers).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'origin-agent-cluster': '?1',
      'referrer-policy': 'no-referrer',
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
      'x-content-type-options': 'nosniff',
      'x-dns-prefetch-control': 'off',
      'x-download-options': 'noopen',
      'x-frame-options': 'DENY',
      'x-permitted-cross-domain-policies': 'none',
      'x-xss-protection': '0',
    });
    expect(reply.headers['x-powered-by'] ?? reply.headers.server ?? reply.headers.etag).toBeUndefined();
  }
});
