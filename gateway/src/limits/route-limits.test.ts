import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { AppError } from '#platform/errors.ts';
import { connectRedis, type RedisClient } from '#platform/redis/redis.ts';
import { createTestLogger } from '#platform/testing.ts';
import { ids, noLimits, startTestGateway, type TestGateway, testRedisUrl } from '../testing.ts';

// What it clears away is its own.
const redisUrl = testRedisUrl(11);
let gateway: TestGateway;
let redis: RedisClient;
const logIn = { email: 'ada@example.com', password: 'x' };
const customerCheck = '/v2/giftcards/customer/balance-check';
const programCheck = `/v2/giftcards/programs/${ids.program}/balance-check`;
const card = { cardNumber: '6034930000000017', securityCode: '123456' };

/** Behind a proxy that the gateway trusts, a test may be as many clients as it likes. */
const from = (ip: string) => ({ 'x-forwarded-for': ip });
let client = 0;
const newClient = () => {
  client += 1;
  return from(`198.51.100.${client % 256}`);
};

beforeEach(async () => {
  redis = await connectRedis(redisUrl, createTestLogger());
  const stale = await redis.keys('limit:*');
  if (stale.length > 0) await redis.del(stale);
  gateway = await startTestGateway({
    redisUrl,
    trustProxy: 1,
    rateLimits: {
      ...noLimits,
      tokenPerIp: 10,
      tokenPerEmail: 10,
      balanceCheckPerIp: 5,
      balanceCheckPerMerchant: 8,
      balanceCheckAnyProgram: 6,
      auditLogsPerUser: 3,
    },
  });
});
afterEach(async () => {
  await gateway.stop();
  redis.destroy();
});

async function statuses(count: number, send: (index: number) => Promise<{ status: number }>): Promise<number[]> {
  const seen: number[] = [];
  for (let index = 0; index < count; index += 1) seen.push((await send(index)).status);
  return seen;
}

const ok = (count: number) => Array.from({ length: count }, () => 200);

test('ten log-ins a minute of one address, whatever the e-mail', async () => {
  const headers = newClient();
  const send = (index: number) =>
    gateway.send('POST', '/v2/token', { body: { ...logIn, email: `user${index}@example.com` }, headers });
  expect(await statuses(12, send)).toEqual([...ok(10), 429, 429]);
  const other = await gateway.send('POST', '/v2/token', {
    body: { ...logIn, email: 'new@example.com' },
    headers: newClient(),
  });
  expect(other.status).toBe(200);
});

test('ten log-ins a minute of one e-mail, from whichever address, in whichever case', async () => {
  const send = (index: number) =>
    gateway.send('POST', '/v2/token', {
      body: index % 2 === 0 ? logIn : { username: ' ADA@Example.com', password: 'x' },
      headers: newClient(),
    });
  expect(await statuses(11, send)).toEqual([...ok(10), 429]);
  const refresh = { grant_type: 'refresh_token', refresh_token: 'r' };
  expect((await gateway.send('POST', '/v2/token', { body: refresh, headers: newClient() })).status).toBe(200);
});

test('malformed and refused log-ins count too', async () => {
  const headers = newClient();
  await statuses(10, () => gateway.send('POST', '/v2/token', { body: {}, headers }));
  expect((await gateway.send('POST', '/v2/token', { body: logIn, headers })).status).toBe(429);
  expect(gateway.calls).toEqual([]);
});

test('five balance checks a minute of one address, over both routes', async () => {
  const headers = newClient();
  const send = (index: number) =>
    gateway.send('POST', index % 2 === 0 ? customerCheck : programCheck, { body: card, headers });
  expect(await statuses(7, send)).toEqual([...ok(5), 429, 429]);
});

test('balance checks of one merchant, over all its programs and every address', async () => {
  const programs = [ids.program, 'b00000000000000000000002'];
  const send = (index: number) =>
    gateway.send('POST', `/v2/giftcards/programs/${programs[index % 2]}/balance-check`, {
      body: card,
      headers: newClient(),
    });
  expect(await statuses(9, send)).toEqual([...ok(8), 429]);
  expect((await gateway.send('POST', customerCheck, { body: card, headers: newClient() })).status).toBe(200);
});

test('balance checks that name no program, of every address together, found or not', async () => {
  const check = () => gateway.send('POST', customerCheck, { body: card, headers: newClient() });
  gateway.answer({ checkBalance: () => Promise.reject(new AppError('not_found', 'card_not_found', 'No.')) });
  expect(await statuses(3, check)).toEqual([404, 404, 404]);
  gateway.reset();
  expect(await statuses(3, check)).toEqual(ok(3));
  const refused = await check();
  expect([refused.status, refused.body.violatedPolicies]).toEqual([429, ['balance-check-any-program']]);
  // One that names its program is its merchant's matter.
  const named = await gateway.send('POST', `${customerCheck}?programId=${ids.program}`, {
    body: card,
    headers: newClient(),
  });
  expect(named.status).toBe(200);
  expect((await gateway.send('POST', programCheck, { body: card, headers: newClient() })).status).toBe(200);
});

test('with its program given a check for any merchant counts for that merchant too', async () => {
  const of = (programId: string) =>
    gateway.send('POST', `${customerCheck}?programId=${programId}`, { body: card, headers: newClient() });
  expect(await statuses(9, () => of(ids.program))).toEqual([...ok(8), 429]);
  gateway.answer({ resolveProgram: () => Promise.reject(new AppError('not_found', 'not_found', 'No.')) });
  expect(await statuses(9, () => of('b00000000000000000000077'))).toEqual(ok(9));
});

test('changes of keys are limited for each user, over all the routes that make them', async () => {
  const limited = await startTestGateway({ redisUrl, rateLimits: { ...noLimits, keyChangesPerUser: 3 } });
  const key = '/v2/keys/e00000000000000000000001';
  const changes = [
    () => limited.send('DELETE', key, { token: 'user' }),
    () => limited.send('POST', `${key}/freeze`, { token: 'user' }),
    () => limited.send('POST', `${key}/unfreeze`, { token: 'user' }),
    () => limited.send('POST', `${key}/rotate`, { token: 'user' }),
    () => limited.send('DELETE', '/v2/appkeys/e00000000000000000000001', { token: 'user' }),
  ];
  const seen = await statuses(changes.length, (index) => (changes[index] as (typeof changes)[0])());
  expect(seen).toEqual([...ok(3), 429, 429]);
  expect((await limited.send('GET', '/v2/keys', { token: 'user' })).status).toBe(200);
  await limited.stop();
});

test('an answer tells where the client stands, and a refusal when to come back', async () => {
  const headers = newClient();
  const first = await gateway.send('POST', programCheck, { body: card, headers });
  expect(first.headers).toMatchObject({
    'ratelimit-policy':
      '"per-ip";q=100000;w=60, "balance-check-per-ip";q=5;w=60, "balance-check-per-merchant";q=8;w=60',
    'x-ratelimit-limit': '5',
    'x-ratelimit-remaining': '4',
  });
  expect(first.headers.ratelimit).toMatch(
    /^"per-ip";r=99999;t=\d+, "balance-check-per-ip";r=4;t=\d+, "balance-check-per-merchant";r=7;t=\d+$/,
  );
  await statuses(4, () => gateway.send('POST', customerCheck, { body: card, headers }));
  const refused = await gateway.send('POST', customerCheck, { body: card, headers });
  expect(refused.status).toBe(429);
  expect(refused.body).toMatchObject({
    code: 'rate_limited',
    violatedPolicies: ['balance-check-per-ip'],
    retryAfterSeconds: Number(refused.headers['retry-after']),
  });
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(30);
  expect(refused.headers['x-ratelimit-remaining']).toBe('0');
  const reset = Number(refused.headers['x-ratelimit-reset']) - Date.now() / 1000;
  expect(reset).toBeGreaterThan(30);
  expect(reset).toBeLessThanOrEqual(60);
});

test('the window ends: a key that has run out starts again', async () => {
  const headers = newClient();
  await statuses(6, () => gateway.send('POST', customerCheck, { body: card, headers }));
  for (const key of await redis.keys('limit:balance-check-per-ip:*')) await redis.pExpire(key, 1);
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect((await gateway.send('POST', customerCheck, { body: card, headers })).status).toBe(200);
});

test('a request does not prolong the window that it falls in', async () => {
  const headers = newClient();
  await statuses(5, () => gateway.send('POST', customerCheck, { body: card, headers }));
  const keys = await redis.keys('limit:balance-check-per-ip:*');
  for (const key of keys) await redis.pExpire(key, 30_000);
  const refused = await gateway.send('POST', customerCheck, { body: card, headers });
  expect(refused.status).toBe(429);
  expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(30);
  for (const key of keys) expect(await redis.pTTL(key)).toBeLessThanOrEqual(30_000);
});

test('64 at once are not let through by each other', async () => {
  const headers = newClient();
  const replies = await Promise.all(
    Array.from({ length: 64 }, () => gateway.send('POST', customerCheck, { body: card, headers })),
  );
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(5);
});

test('neither addresses nor e-mails are kept in Redis in clear', async () => {
  await gateway.send('POST', '/v2/token', { body: logIn, headers: from('198.51.100.7') });
  const keys = (await redis.keys('limit:*')).join();
  expect(keys).not.toMatch(/ada@|198\.51/);
  for (const key of await redis.keys('limit:*')) expect(await redis.pTTL(key)).toBeGreaterThan(0);
});

test('an IPv6 client is counted by its /64', async () => {
  const send = (index: number) =>
    gateway.send('POST', customerCheck, { body: card, headers: from(`2001:db8:1:2::${index + 1}`) });
  expect((await statuses(6, send)).at(-1)).toBe(429);
});

test('a forwarded address changes nothing unless the proxy is trusted', async () => {
  const direct = await startTestGateway({
    redisUrl,
    rateLimits: { ...noLimits, balanceCheckPerIp: 5 },
  });
  const localAddress = '127.7.7.7';
  const send = () => direct.send('POST', customerCheck, { body: card, headers: newClient(), localAddress });
  expect(await statuses(6, send)).toEqual([...ok(5), 429]);
  expect(direct.calls.at(-1)?.caller.ip).toBe(localAddress);
  await direct.stop();
});

test('with Redis down the limited routes answer 503, and the others go on', async () => {
  const cut = await startTestGateway({ redisUrl: 'redis://127.0.0.1:1' });
  for (const [path, body] of [
    ['/v2/token', logIn],
    [customerCheck, card],
  ] as const) {
    const reply = await cut.send('POST', path, { body });
    expect([reply.status, reply.body.code]).toEqual([503, 'unavailable']);
  }
  expect((await cut.send('GET', '/v2/token', { token: 'user' })).status).toBe(200);
  await cut.stop();
}, 30_000);

test('looks at the audit log of one user, whatever is asked', async () => {
  const send = (index: number) =>
    gateway.send('GET', `/v2/giftcards/audit-logs?page=${index + 1}`, { token: 'user', headers: newClient() });
  expect(await statuses(4, send)).toEqual([...ok(3), 429]);
});
