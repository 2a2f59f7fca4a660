import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { unavailable } from '#platform/errors.ts';
import { ids, startTestGateway, type TestGateway } from '../testing.ts';
import { exchange, requestText, statusesIn, Wire } from '../testing-wire.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
beforeEach(() => gateway.reset());
afterAll(() => gateway.stop());

const redeem = `POST /v2/giftcards/programs/${ids.program}/cards/${ids.card}/redeem`;
const user = { Authorization: 'Bearer user', 'Content-Type': 'application/json' };
const closing = { Connection: 'close' };
const body = '{"amount":5}';
const length = { 'Content-Length': String(body.length) };
const redeemed = () => gateway.calls.filter(({ rpc }) => rpc === 'redeemCard').length;
const problem = (code: string) => new RegExp(`application/problem\\+json[\\s\\S]*"code":"${code}"`);

describe('request smuggling', () => {
  test.each([
    ['both a length and chunks', { ...length, 'Transfer-Encoding': 'chunked' }, `c\r\n${body}\r\n0\r\n\r\n`],
    ['another coding than chunks', { 'Transfer-Encoding': 'gzip' }, body],
    ['chunks that are not the last coding', { 'Transfer-Encoding': 'chunked, identity' }, `c\r\n${body}\r\n0\r\n\r\n`],
    ['a disguised coding', { 'Transfer-Encoding': '\x0bchunked' }, `c\r\n${body}\r\n0\r\n\r\n`],
    ['two lengths', { ...length, 'content-length': '3' }, body],
    ['a length with a sign', { 'Content-Length': '+12' }, body],
    ['a list as length', { 'Content-Length': '12, 12' }, body],
    ['a space before the colon', { 'Content-Length ': '12' }, body],
    ['a chunk size that is none', { 'Transfer-Encoding': 'chunked' }, `0xc\r\n${body}\r\n0\r\n\r\n`],
  ])('%s: 400, and the connection ends', async (_what, headers, sent) => {
    const bytes = requestText(redeem, { ...user, ...headers }, `${sent}${requestText('GET /status')}`);
    const answer = await exchange(gateway.port, bytes);
    expect([statusesIn(answer), answer.closed]).toEqual([[400], true]);
    expect(answer.text).toMatch(problem('bad_request'));
    expect(redeemed()).toBe(0);
  });

  test('a request line or header that ends in a bare line feed: 400', async () => {
    for (const bytes of [
      'GET /status HTTP/1.1\nHost: a\n\n',
      'GET /status HTTP/1.1\r\nHost: a\nX-Smuggled: 1\r\n\r\n',
    ]) {
      const answer = await exchange(gateway.port, bytes);
      expect([statusesIn(answer), answer.closed]).toEqual([[400], true]);
      expect(answer.text).toMatch(problem('bad_request'));
    }
  });

  test.each([
    ['alone', 'GET /status', ''],
    ['with a body to come', redeem, 'Content-Length: 12\r\nExpect: 100-continue\r\n'],
    ['with a miracle to come', 'GET /status', 'Expect: miracles\r\n'],
  ])('HTTP/1.1 without Host, %s: 400 under its request id, and the connection ends', async (_what, line, headers) => {
    const bytes = `${line} HTTP/1.1\r\nX-Request-Id: till-7\r\n${headers}\r\n${requestText('GET /status')}`;
    const answer = await exchange(gateway.port, bytes);
    expect([statusesIn(answer), answer.closed]).toEqual([[400], true]);
    expect(answer.text).toMatch(problem('bad_request'));
    expect(answer.text).toMatch(/X-Request-Id: till-7\r\n[\s\S]*"requestId":"till-7"/);
  });

  test('HTTP/1.0 knows no Host', async () => {
    const answer = await exchange(gateway.port, 'GET /status HTTP/1.0\r\n\r\n');
    expect([statusesIn(answer), answer.closed]).toEqual([[200], true]);
  });

  test('a length that is too short: its request is answered, and what follows ends the connection', async () => {
    const bytes = requestText(redeem, { ...user, 'Content-Length': '12' }, `${body}GARBAGE\r\n\r\n`);
    const answer = await exchange(gateway.port, bytes);
    expect([statusesIn(answer), answer.closed, redeemed()]).toEqual([[200], true, 1]);
  });

  test('what is broken behind a move that is under way is not taken for its answer', async () => {
    let goOn = () => undefined as undefined;
    const held = new Promise<void>((resolve) => {
      goOn = () => void resolve() as undefined;
    });
    gateway.answer({
      redeemCard: async () => {
        await held;
        throw unavailable();
      },
    });
    const first = requestText(redeem, { ...user, ...length }, body);
    const broken = requestText(redeem, { ...user, 'Transfer-Encoding': 'chunked' }, '0xc\r\n');
    const garbage = new Wire(gateway.port).say(first);
    const second = new Wire(gateway.port).say(first);
    while (redeemed() < 2) await gateway.send('GET', '/status');
    garbage.say('GARBAGE\r\n\r\n');
    const cut = await second.say(broken).hear();
    expect([statusesIn(cut), cut.closed]).toEqual([[], true]);
    goOn();
    const answer = await garbage.hear();
    expect([statusesIn(answer), answer.closed]).toEqual([[503], true]);
  });

  test('a body on GET is passed over, and not taken for the next request', async () => {
    const smuggled = requestText('DELETE /v2/templates', {});
    const headers = { ...user, 'Content-Length': String(smuggled.length) };
    const bytes = requestText('GET /v2/token', headers, `${smuggled}${requestText('GET /status', closing)}`);
    expect(statusesIn(await exchange(gateway.port, bytes))).toEqual([200, 200]);
  });
});

describe('bodies', () => {
  const send = (sent: string | Buffer, headers: Record<string, string> = {}) => {
    const bytes = Buffer.from(sent as string);
    const head = requestText(redeem, { ...user, ...closing, 'Content-Length': String(bytes.length), ...headers });
    return exchange(gateway.port, Buffer.concat([Buffer.from(head), bytes]));
  };

  test('come in chunks too, with a trailer', async () => {
    const headers = { ...user, ...closing, 'Transfer-Encoding': 'chunked' };
    const sent = '5;name=value\r\n{"amo\r\n7\r\nunt":5}\r\n0\r\nX-Trailer: 1\r\n\r\n';
    expect(statusesIn(await exchange(gateway.port, requestText(redeem, headers, sent)))).toEqual([200]);
  });

  test.each([
    ['which may be absent, is none', `POST /v2/keys/${ids.record}/rotate`, {}, 200],
    ['also of another type', `POST /v2/keys/${ids.record}/rotate`, { 'Content-Type': 'text/plain' }, 200],
    ['which is needed, is a missing one', redeem, {}, 422],
  ])('a body in chunks that holds nothing, %s', async (_what, line, headers, status) => {
    const head = { Authorization: 'Bearer user', 'Transfer-Encoding': 'chunked', ...headers };
    const bytes = `${requestText(line, head, '0\r\n\r\n')}${requestText('GET /status', closing)}`;
    expect(statusesIn(await exchange(gateway.port, bytes))).toEqual([status, 200]);
  });

  test('a body in chunks of no type is a 415 once it holds something, and passed over', async () => {
    const head = { Authorization: 'Bearer user', 'Transfer-Encoding': 'chunked' };
    const wire = new Wire(gateway.port).say(requestText(redeem, head, `c\r\n${body}\r\n`));
    await once(wire.socket, 'data');
    wire.say(`10000\r\n${' '.repeat(0x10000)}\r\n0\r\n\r\n${requestText('GET /status', closing)}`);
    const answer = await wire.hear();
    expect(statusesIn(answer)).toEqual([415, 200]);
    expect(answer.text).toMatch(problem('unsupported_media_type'));
  });

  test('a body without end is cut off at 1 MiB', async () => {
    const wire = new Wire(gateway.port);
    wire.say(requestText(redeem, { ...user, 'Transfer-Encoding': 'chunked' }));
    const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`;
    for (let sent = 0; sent < 17; sent += 1) wire.say(chunk);
    const answer = await wire.hear();
    expect([statusesIn(answer), answer.closed]).toEqual([[413], true]);
  });

  test.each([
    ['too much', { ...user, 'Content-Length': '20971520' }, 413],
    ['without a token', { ...closing, 'Content-Length': '20971520' }, 401],
  ])(
    'a client in the middle of 20 MiB %s may finish its sentence, and reads the refusal',
    async (_what, headers, status) => {
      const wire = new Wire(gateway.port).say(requestText(redeem, headers));
      const mebibyte = Buffer.alloc(1_048_576, ' ');
      for (let sent = 0; sent < 19; sent += 1) wire.say(mebibyte);
      await new Promise<void>((resolve) => wire.socket.write(mebibyte, () => resolve()));
      const answer = await wire.hear();
      expect([statusesIn(answer), wire.socket.errored]).toEqual([[status], null]);
    },
  );

  test('a refused client may finish although the gateway stood still for longer than it waits', async () => {
    const wire = new Wire(gateway.port).say(requestText(redeem, { ...closing, 'Content-Length': '131072' }));
    await once(wire.socket, 'data');
    const half = Buffer.alloc(65_536, ' ');
    wire.say(half);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_100);
    await setTimeout(100);
    expect(wire.socket.readyState).toBe('open');
    wire.say(half);
    const answer = await wire.hear();
    expect([statusesIn(answer), wire.socket.errored]).toEqual([[401], null]);
  });

  test('a byte order mark is no fault', async () => {
    expect(statusesIn(await send(`\uFEFF${body}`))).toEqual([200]);
  });

  test('UTF-16 and other bytes that are no UTF-8 are a 422', async () => {
    expect(statusesIn(await send(Buffer.from(`\uFEFF${body}`, 'utf16le')))).toEqual([422]);
  });

  test('of a name that comes twice the last counts', async () => {
    await send('{"amount":1,"amount":5}');
    expect(gateway.calls.at(-1)?.request).toMatchObject({ amountMinor: 500n });
  });

  test.each(['__proto__', 'constructor', 'prototype', 'toString'])(
    'a field called %s is an unknown one',
    async (name) => {
      const answer = await send(`{"amount":5,"${name}":{"isAdmin":true,"polluted":true}}`);
      expect(statusesIn(answer)).toEqual([422]);
      expect(answer.text).toContain(`"loc":["body","${name}"]`);
      expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    },
  );

  test('a name from every object in path, query or form pollutes nothing', async () => {
    const form = '__proto__=1&constructor=2&email=ada%40example.com&password=x';
    const headers = { ...closing, 'Content-Type': 'application/x-www-form-urlencoded' };
    const bytes = requestText('POST /v2/token', { ...headers, 'Content-Length': String(form.length) }, form);
    expect([200, 422]).toContain(statusesIn(await exchange(gateway.port, bytes))[0]);
    const path = '/v2/loyalty/programs?__proto__[polluted]=1&constructor.prototype.polluted=1&__proto__=1';
    expect((await gateway.send('GET', path, { token: 'user' })).status).toBe(200);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test('too deep is a 422 that names where, however large', async () => {
    for (const sent of ['['.repeat(1024 * 1024), '{"a":'.repeat(200_000), `${'['.repeat(33)}${']'.repeat(33)}`]) {
      const answer = await send(sent);
      expect(statusesIn(answer)).toEqual([422]);
      expect(answer.text).toMatch(/"json_invalid".*Nested deeper than 32 levels/);
    }
    const allowed = await send(`{"amount":${'['.repeat(31)}${']'.repeat(31)}}`);
    expect(allowed.text).toMatch(/decimal_type|decimal_parsing/);
  });

  test('a hundred thousand unknown fields are answered with a bounded number of faults', async () => {
    const fields = Array.from({ length: 90_000 }, (_, index) => `"f${index}":1`);
    const answer = await send(`{${fields.join()}}`);
    expect(statusesIn(answer)).toEqual([422]);
    expect(answer.text.length).toBeLessThan(100_000);
  });
});

describe('Expect', () => {
  const expecting = { ...user, ...length, Expect: '100-continue' };

  test('a client that asks first is told to go on', async () => {
    const wire = new Wire(gateway.port).say(requestText(redeem, { ...expecting, ...closing }));
    await new Promise((resolve) => wire.socket.once('data', resolve));
    wire.say(body);
    expect(statusesIn(await wire.hear())).toEqual([100, 200]);
  });

  test.each([
    ['no token', { ...expecting, Authorization: 'Bearer unknown' }, 401],
    ['too much', { ...expecting, 'Content-Length': '2000000' }, 413],
    ['another type', { ...expecting, 'Content-Type': 'text/plain' }, 415],
  ])('but not when it would be refused anyway: %s', async (_what, headers, status) => {
    const answer = await exchange(gateway.port, requestText(redeem, headers));
    expect([statusesIn(answer), answer.closed]).toEqual([[status], true]);
  });

  test('another expectation is a 417', async () => {
    const answer = await exchange(gateway.port, requestText(redeem, { ...expecting, Expect: 'miracles', ...closing }));
    expect(statusesIn(answer)).toEqual([417]);
    expect(answer.text).toMatch(problem('expectation_failed'));
  });
});

describe('connections', () => {
  test('requests in one go are answered one by one, in their order', async () => {
    const lines = ['GET /v2/token', 'GET /v2/nothing', 'POST /status', 'GET /status', 'GET /v2/token'];
    const bytes = lines.map((line, index) => requestText(line, index === 4 ? { ...user, ...closing } : user)).join('');
    expect(statusesIn(await exchange(gateway.port, bytes))).toEqual([200, 404, 405, 200, 200]);
  });

  test('an address over 16 KiB is a 431', async () => {
    const answer = await exchange(gateway.port, requestText(`GET /status?${'x'.repeat(17_000)}`));
    expect(statusesIn(answer)).toEqual([431]);
    expect(answer.text).toMatch(problem('headers_too_large'));
    expect(statusesIn(await exchange(gateway.port, requestText(`GET /v2/${'x'.repeat(15_000)}`, closing)))).toEqual([
      404,
    ]);
  });

  test('CONNECT and upgrades are not served', async () => {
    const connect = await exchange(gateway.port, 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n');
    expect(connect.closed).toBe(true);
    const upgrade = requestText('GET /status', { Connection: 'Upgrade, close', Upgrade: 'websocket' });
    expect(statusesIn(await exchange(gateway.port, upgrade))).toEqual([200]);
    expect(statusesIn(await exchange(gateway.port, requestText('TRACE /status', closing)))).toEqual([405]);
  });
});
