import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { AppError, unavailable } from '#platform/errors.ts';
import { connectRedis, type RedisClient } from '#platform/redis/redis.ts';
import { createTestLogger } from '#platform/testing.ts';
import type { Metering } from '#proto/identity/v1/identity.ts';
import { ids, noLimits, principal, startTestGateway, type TestGateway, testRedisUrl } from '../testing.ts';
import { utcMonthOf } from './utc-month.ts';

/** Other test files clear theirs. */
const redisUrl = testRedisUrl(10);
const month = utcMonthOf(Date.now()).name;
const quotas = { ...noLimits, perUser: 4, perIp: 300, failedAuthenticationPerIp: 3 };
let gateways: TestGateway[];
let gateway: TestGateway;
let redis: RedisClient;
beforeAll(async () => {
  redis = await connectRedis(redisUrl, createTestLogger());
  const start = () => startTestGateway({ trustProxy: 1, rateLimits: quotas, redisUrl });
  gateways = [await start(), await start()];
  gateway = gateways[0] as TestGateway;
});
beforeEach(() => {
  for (const one of gateways) one.reset();
});
afterAll(async () => {
  for (const one of gateways) await one.stop();
  redis.destroy();
});

const newId = () => randomBytes(12).toString('hex');
/** A client that has sent nothing yet. */
const newClient = () => ({
  'x-forwarded-for': `2001:db8:${randomBytes(2).toString('hex')}:${randomBytes(2).toString('hex')}::1`,
});
const bounds = (fields: Partial<Metering> = {}): Metering => ({
  perMinute: 60,
  perHour: 1_000,
  perMonth: undefined,
  month,
  calls: 0n,
  ...fields,
});

/** Makes identity know an API key, and returns its credential and id. */
function apiKey(metering: Partial<Metering> = {}, fields: Parameters<typeof principal>[0] = {}) {
  const credentialId = newId();
  const known = principal({ kind: 'api_key', credentialId, userId: newId(), metering: bounds(metering), ...fields });
  for (const one of gateways) one.answer({ authenticate: async () => known });
  return { token: credentialId, credentialId, usageKey: `usage:{${credentialId}}:${month}` };
}

const whoAmI = (token: string, headers: Record<string, string> = newClient(), of = gateway) =>
  of.send('GET', '/v2/token', { token, headers });

test('of 200 at once over two gateways exactly as many pass as the key may send a minute', async () => {
  const { token, usageKey } = apiKey();
  const replies = await Promise.all(
    Array.from({ length: 200 }, (_, index) => whoAmI(token, newClient(), gateways[index % 2])),
  );
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(60);
  const refused = replies.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(140);
  expect(refused[0]?.body).toMatchObject({ code: 'rate_limited', violatedPolicies: ['key-per-minute'] });
  expect(await redis.get(usageKey)).toBe('60');
});

test('an answer tells minute, hour and month, the least of them by itself', async () => {
  const { token } = apiKey({ perMonth: 20n, calls: 15n });
  const { headers } = await whoAmI(token);
  const days = (utcMonthOf(Date.now()).endsAt - utcMonthOf(Date.now()).startsAt) / 1_000;
  expect(headers['ratelimit-policy']).toBe(
    `"per-ip";q=300;w=60, "key-per-minute";q=60;w=60, "key-per-hour";q=1000;w=3600, "key-per-month";q=20;w=${days}`,
  );
  expect(headers.ratelimit).toMatch(
    /^"per-ip";r=299;t=60, "key-per-minute";r=59;t=60, "key-per-hour";r=999;t=3600, "key-per-month";r=4;t=\d+$/,
  );
  expect([headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']]).toEqual(['20', '4']);
});

test('an hour that is used up refuses too, though minutes go by', async () => {
  const { token, credentialId } = apiKey({ perMinute: 2, perHour: 3 });
  const statuses = [];
  for (let i = 0; i < 3; i += 1) statuses.push((await whoAmI(token)).status);
  await redis.del(`limit:key-per-minute:${credentialId}`);
  const refusals = [await whoAmI(token), await whoAmI(token)];
  expect([...statuses, ...refusals.map(({ status }) => status)]).toEqual([200, 200, 429, 200, 429]);
  expect(refusals[1]?.body.violatedPolicies).toEqual(['key-per-hour']);
  expect(Number(refusals[1]?.headers['retry-after'])).toBeGreaterThan(3_500);
});

test('over the monthly quota: another code, until the month ends', async () => {
  const { token, usageKey, credentialId } = apiKey({ perMonth: 11n, calls: 10n });
  expect((await whoAmI(token)).status).toBe(200);
  const refused = await whoAmI(token);
  expect([refused.status, refused.body.code]).toEqual([429, 'monthly_quota_exceeded']);
  expect(refused.body.violatedPolicies).toEqual(['key-per-month']);
  const left = (utcMonthOf(Date.now()).endsAt - Date.now()) / 1_000;
  expect(Math.abs(Number(refused.headers['retry-after']) - left)).toBeLessThan(5);
  expect([refused.headers['x-ratelimit-limit'], refused.headers['x-ratelimit-remaining']]).toEqual(['11', '0']);
  expect(await redis.get(usageKey)).toBe('11');
  expect(await redis.sIsMember('usage:dirty', `${credentialId}:${month}`)).toBe(1);
});

test('every call that is let in is metered, also one that fails; none that is refused before', async () => {
  const { token, usageKey } = apiKey({}, { scopes: ['templates:read'] });
  await gateway.send('GET', '/v2/templates/short', { token, headers: newClient() });
  gateway.answer({ getTemplate: () => Promise.reject(new AppError('not_found', 'not_found', 'No.')) });
  await gateway.send('GET', `/v2/templates/${ids.record}`, { token, headers: newClient() });
  expect((await gateway.send('GET', '/v2/webhooks', { token, headers: newClient() })).status).toBe(403);
  expect(await redis.get(usageKey)).toBe('2');
  const frozen = apiKey({}, { frozen: true });
  for (let i = 0; i < 2; i += 1) expect((await whoAmI(frozen.token)).status).toBe(402);
  expect(await redis.exists([frozen.usageKey, `limit:key-per-minute:${frozen.credentialId}`])).toBe(0);
});

test('a 429 comes before the body is read', async () => {
  const { token } = apiKey({ perMinute: 1 }, { scopes: ['templates:write'] });
  await whoAmI(token);
  const headers = { ...newClient(), 'content-type': 'text/plain' };
  expect((await gateway.send('POST', '/v2/templates', { token, body: 'x', headers })).status).toBe(429);
});

test('a user is counted over tokens and app keys, not metered, and not with another user', async () => {
  const userId = newId();
  const send = async (kind: string, id = userId) => {
    gateway.answer({ authenticate: async () => principal({ kind, userId: id, credentialId: newId() }) });
    return (await whoAmI(newId())).status;
  };
  const statuses = [];
  for (const kind of ['user', 'app_key', 'user', 'app_key', 'user', 'app_key']) statuses.push(await send(kind));
  expect(statuses).toEqual([200, 200, 200, 200, 429, 429]);
  expect(await send('user', newId())).toBe(200);
});

test('an address is counted over all its credentials and none, on every route but the probes', async () => {
  const headers = newClient();
  const paths = ['/status', '/v2/token', '/openapi.public.json'];
  const replies = await Promise.all(
    Array.from({ length: 310 }, (_, i) => gateway.send('GET', paths[i % 3] as string, { headers })),
  );
  const refused = replies.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(10);
  expect(refused[0]?.body.violatedPolicies).toEqual(['per-ip']);
  expect((await gateway.send('GET', '/status', { headers: newClient() })).status).toBe(200);
  for (const path of ['/healthz', '/readyz']) {
    const reply = await gateway.send('GET', path, { headers });
    expect([reply.status, reply.headers.ratelimit]).toEqual([200, undefined]);
  }
});

test('a flood of bad credentials does not reach identity, and stops no good one that is known', async () => {
  const headers = newClient();
  const good = apiKey();
  await whoAmI(good.token, headers);
  gateway.answer({ authenticate: () => Promise.reject(new AppError('unauthenticated', 'x', 'No.')) });
  const flood = () => Promise.all(Array.from({ length: 20 }, () => whoAmI(newId(), headers)));
  const first = (await flood()).map(({ status }) => status).sort();
  expect(first).toEqual([401, 401, 401, ...Array.from({ length: 17 }, () => 429)]);
  gateway.calls.length = 0;
  for (const { status, body } of await flood()) {
    expect([status, body.violatedPolicies]).toEqual([429, ['failed-authentication-per-ip']]);
  }
  expect(gateway.calls).toHaveLength(0);
  expect((await whoAmI(good.token, headers)).status).toBe(200);
});

test('good credentials that are new, many at once too, and those that identity could not tell, are no bad ones', async () => {
  const headers = newClient();
  const tokens = Array.from({ length: 9 }, () => apiKey().token);
  const answers = await Promise.all(tokens.map((token) => whoAmI(token, headers)));
  expect(answers.map(({ status }) => status)).toEqual(tokens.map(() => 200));
  for (let i = 0; i < 6; i += 1) {
    const { token } = apiKey({}, { frozen: true });
    expect((await whoAmI(token, headers)).status).toBe(402);
  }
  gateway.answer({ authenticate: () => Promise.reject(unavailable()) });
  for (let i = 0; i < 6; i += 1) expect((await whoAmI(newId(), headers)).status).toBe(503);
  expect((await whoAmI(apiKey().token, headers)).headers.ratelimit).not.toContain('failed-authentication');
});
