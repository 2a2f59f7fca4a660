import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ids, type Reply, startTestGateway, type TestGateway } from '../testing.ts';
import { fakeCard } from '../testing-answers.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
beforeEach(() => gateway.reset());
afterAll(() => gateway.stop());

const program = `/v2/loyalty/programs/${ids.program}`;
const cards = `/v2/giftcards/programs/${ids.program}/cards`;
const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  gateway.send(method, path, { token: 'user', headers });

/** Headers that are the same for the same answer. */
const steady = ({ headers }: Reply) => {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !/^(x-request-id|date)$|ratelimit/.test(name)));
};

describe('ETag', () => {
  test('a GET has a weak one, and must be asked for again each time', async () => {
    const [first, second] = [await get(program), await get(program)];
    expect(first.headers.etag).toMatch(/^W\/"[\w-]{27}"$/);
    expect(second.headers.etag).toBe(first.headers.etag);
    expect(first.headers['cache-control']).toBe('private, no-cache');
  });

  test('who has the very answer gets 304 without a body', async () => {
    const known = String((await get(program)).headers.etag);
    for (const value of [known, `"other", ${known}`, known.slice(2), '*']) {
      const reply = await get(program, { 'if-none-match': value });
      expect([reply.status, reply.text]).toEqual([304, '']);
      expect(reply.headers).toMatchObject({
        etag: known,
        'cache-control': 'private, no-cache',
        vary: 'Accept-Encoding',
        'x-content-type-options': 'nosniff',
      });
      expect(reply.headers['content-type'] ?? reply.headers['content-length']).toBeUndefined();
    }
    expect((await get(program, { 'if-none-match': '"other"' })).status).toBe(200);
    expect((await get(program, { 'if-none-match': known, 'cache-control': 'no-cache' })).status).toBe(200);
  });

  test('a balance that changed has another', async () => {
    const path = `${cards}/${ids.card}`;
    const before = await get(path);
    gateway.answer({ getCards: async () => ({ cards: [{ ...fakeCard, balanceMinor: 1n }] }) });
    const after = await get(path, { 'if-none-match': String(before.headers.etag) });
    expect(after.status).toBe(200);
    expect(after.headers.etag).not.toBe(before.headers.etag);
  });

  test('no token, no 304', async () => {
    const known = String((await get(program)).headers.etag);
    const reply = await gateway.send('GET', program, { headers: { 'if-none-match': known } });
    expect(reply.status).toBe(401);
    expect((await gateway.send('GET', program, { headers: { 'if-none-match': '*' } })).status).toBe(401);
  });

  test('what shows secrets or the moment, changes, and errors have none and are not stored', async () => {
    for (const path of ['/v2/keys', '/v2/appkeys', '/v2/webhooks', '/v2/token', '/status', '/v2/nothing']) {
      const reply = await get(path, { 'if-none-match': '*' });
      expect([path, reply.status === 304, reply.headers.etag, reply.headers['cache-control']]).toEqual([
        path,
        false,
        undefined,
        'no-store',
      ]);
    }
    const issued = await gateway.send('POST', cards, { token: 'user', body: { initialValue: 5 } });
    expect([issued.status, issued.headers.etag, issued.headers['cache-control']]).toEqual([201, undefined, 'no-store']);
  });
});

test('HEAD has the headers of GET, also when it is packed', async () => {
  gateway.answer({ listCards: async () => ({ cards: Array(20).fill(fakeCard), total: 20 }) });
  for (const path of [program, cards, '/docs', '/status', '/openapi.public.json']) {
    for (const coding of ['identity', 'br', 'gzip']) {
      const headers = { 'accept-encoding': coding };
      const [whole, head] = [await get(path, headers), await get(path, headers, 'HEAD')];
      expect([head.status, head.text]).toEqual([200, '']);
      expect(steady(head)).toEqual(steady(whole));
    }
  }
});

describe('compression', () => {
  const fullList = async () => ({ cards: Array(250).fill(fakeCard), total: 250 });
  const packed = async (path: string, acceptEncoding?: string) => {
    const response = await fetch(`http://127.0.0.1:${gateway.port}${path}`, {
      headers: { authorization: 'Bearer user', 'accept-encoding': acceptEncoding ?? '' },
    });
    await response.arrayBuffer();
    return response.headers.get('content-encoding') ?? 'identity';
  };

  test.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['br;q=0, *', 'gzip'],
    ['*', 'br'],
    ['identity, gzip;q=0.5', 'identity'],
    ['gzip;q=0', 'identity'],
    ['deflate', 'identity'],
    ['identity;q=0', 'identity'],
    ['x'.repeat(8_000), 'identity'],
    [undefined, 'identity'],
  ])('Accept-Encoding %j: %s', async (accepted, expected) => {
    gateway.answer({ listCards: fullList });
    expect(await packed(cards, accepted)).toBe(expected);
    expect(await packed('/docs', accepted)).toBe(expected);
  });

  test('unpacked it is the same answer, with a right length and the same tag', async () => {
    gateway.answer({ listCards: fullList });
    const plain = await get(cards);
    for (const [coding, unpack] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const { headers, bytes } = await get(cards, { 'accept-encoding': coding });
      expect(Number(headers['content-length'])).toBe(bytes.length);
      expect(bytes.length).toBeLessThan(plain.bytes.length / 10);
      expect(unpack(bytes).equals(plain.bytes)).toBe(true);
      expect([headers.etag, headers.vary, headers['x-total-count']]).toEqual([
        plain.headers.etag,
        'Accept-Encoding',
        '250',
      ]);
      const again = await get(cards, { 'accept-encoding': coding, 'if-none-match': String(headers.etag) });
      expect(again.status).toBe(304);
    }
  });

  test('small answers, changes, errors and what shows secrets go as they are', async () => {
    const headers = { 'accept-encoding': 'br, gzip' };
    expect((await get(program, headers)).headers['content-encoding']).toBeUndefined();
    const webhook = (await gateway.send('GET', `/v2/webhooks/${ids.record}`, { token: 'user' })).body;
    expect(webhook).toHaveProperty('sharedSecret');
    const body = { initialValue: 'x'.repeat(800), colour: 'x'.repeat(800) };
    const refused = await gateway.send('POST', cards, { token: 'user', body, headers });
    expect([refused.status, refused.bytes.length > 1_024, refused.headers['content-encoding']]).toEqual([
      422,
      true,
      undefined,
    ]);
  });

  test('more at once than may be are sent as they are', async () => {
    gateway.answer({ listCards: fullList });
    const codings = await Promise.all(Array.from({ length: 60 }, () => packed(cards, 'br')));
    expect(new Set(codings).has('br')).toBe(true);
    expect(await packed(cards, 'br')).toBe('br');
  });
});
