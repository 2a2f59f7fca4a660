import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { AppError } from '#platform/errors.ts';
import { noLimits, startTestGateway, type TestGateway } from '../../testing.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
beforeEach(() => gateway.reset());
afterAll(() => gateway.stop());

const at = '2026-01-31T12:00:00Z';
const signup = {
  email: 'Ada@Example.com',
  passwordHash: 'p4ss'.repeat(11),
  name: 'Ada',
  company: 'Corner Coffee',
  country: 'GB',
  consent: { tosAt: at, dpaAt: at, privacyAt: at, ip: '203.0.113.7' },
  utm: { source: 'fair' },
};
const pendingId = 'e00000000000000000000001';
const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  gateway.send('POST', path, { body, headers });
const form = { 'content-type': 'application/x-www-form-urlencoded' };

test('a new sign-up is 201, one that goes on 200', async () => {
  const fresh = await post('/v2/signup/pending', signup);
  expect([fresh.status, fresh.body]).toEqual([201, { pendingId }]);
  expect(gateway.calls[0]).toMatchObject({
    rpc: 'createPendingSignup',
    caller: { kind: 'anonymous', ip: '127.0.0.1' },
    request: { name: 'Ada', consent: { tosAt: new Date(at), ip: '203.0.113.7' }, utm: { source: 'fair' } },
  });
  gateway.answer({ createPendingSignup: async () => ({ pendingId, resumed: true }) });
  const again = await post('/v2/signup/pending', signup);
  expect([again.status, again.body]).toEqual([200, { pendingId }]);
});

const faulty: [string, object, string][] = [
  ['a short password hash', { passwordHash: 'x'.repeat(9) }, 'body.passwordHash string_too_short'],
  ['a long password hash', { passwordHash: 'x'.repeat(201) }, 'body.passwordHash string_too_long'],
  ['no name', { name: '' }, 'body.name string_too_short'],
  ['a long company', { company: 'x'.repeat(201) }, 'body.company string_too_long'],
  ['a country of three letters', { country: 'GBR' }, 'body.country string_too_long'],
  ['a bad e-mail', { email: 'ada' }, 'body.email value_error'],
  ['a bad time', { consent: { ...signup.consent, tosAt: 'now' } }, 'body.consent.tosAt datetime_parsing'],
  ['a bad address', { consent: { ...signup.consent, ip: '1.2.3' } }, 'body.consent.ip ip_any_address'],
  ['a zone in the address', { consent: { ...signup.consent, ip: 'fe80::1%lo' } }, 'body.consent.ip ip_any_address'],
  ['a long source', { utm: { source: 'x'.repeat(201) } }, 'body.utm.source string_too_long'],
  ['another field', { plan: 'paid' }, 'body.plan extra_forbidden'],
  ['another consent', { consent: { ...signup.consent, adsAt: at } }, 'body.consent.adsAt extra_forbidden'],
];

test.each(faulty)('%s is 422', async (_what, changes, expected) => {
  const reply = await post('/v2/signup/pending', { ...signup, ...changes });
  expect(reply.status).toBe(422);
  const items = reply.body.detail as { loc: string[]; type: string }[];
  expect(items.map(({ loc, type }) => `${loc.join('.')} ${type}`)).toEqual([expected]);
  expect(reply.text).not.toContain(signup.passwordHash);
});

test('what is not ticked is for identity to refuse', async () => {
  gateway.answer({ createPendingSignup: () => Promise.reject(new AppError('invalid', 'consent_missing', 'No.')) });
  for (const consent of [undefined, null, {}, { tosAt: null, dpaAt: at, privacyAt: at }]) {
    const reply = await post('/v2/signup/pending', { ...signup, consent });
    expect([reply.status, reply.body.code]).toEqual([400, 'consent_missing']);
  }
});

test('twenty a minute from one address, as the spec says, and no twenty-first', async () => {
  const limited = await startTestGateway({ rateLimits: { ...noLimits, signupPerIp: 20 } });
  try {
    const localAddress = '127.0.7.1';
    const statuses: number[] = [];
    for (let count = 0; count < 21; count += 1) {
      statuses.push((await limited.send('POST', '/v2/signup/pending', { body: signup, localAddress })).status);
    }
    expect(statuses).toEqual([...Array(20).fill(201), 429]);
    const refused = await limited.send('POST', '/v2/signup/pending', { body: {}, localAddress });
    expect(refused.headers['retry-after']).toMatch(/^\d+$/);
    expect(refused.headers['ratelimit-policy']).toContain('"signup-per-ip";q=20;w=60');
  } finally {
    await limited.stop();
  }
});

test('a code is sent as JSON or form', async () => {
  expect((await post('/v2/signup/verify', { pendingId, code: 'c' })).body).toMatchObject({
    id: pendingId,
    active: true,
  });
  expect((await post('/v2/signup/verify', `pendingId=${pendingId}&code=c`, form)).status).toBe(200);
  expect(gateway.calls.map(({ request }) => request)).toEqual(Array(2).fill({ pendingId, code: 'c' }));
});

test('wrong codes are 400 and limited by address, so that nobody locks another out of its sign-up', async () => {
  const limited = await startTestGateway({ rateLimits: { ...noLimits, signupVerifyPerIp: 2 } });
  try {
    limited.answer({ verifySignup: () => Promise.reject(new AppError('invalid', 'invalid_code', 'No.')) });
    const target = 'e00000000000000000000042';
    const tryFrom = (localAddress: string, path: string) =>
      limited.send('POST', path, { body: { pendingId: target, code: 'guess' }, localAddress });
    const first = await tryFrom('127.0.7.2', '/v2/signup/verify');
    expect([first.status, first.body.code]).toEqual([400, 'invalid_code']);
    expect((await tryFrom('127.0.7.2', '/signup/verify')).status).toBe(400);
    expect((await tryFrom('127.0.7.2', '/v2/signup/verify')).status).toBe(429);
    for (let i = 0; i < 12; i += 1) {
      expect((await tryFrom(`127.0.8.${i + 1}`, '/v2/signup/verify')).status).toBe(400);
    }
  } finally {
    await limited.stop();
  }
});

test("the link's page changes nothing by itself, runs no script and can send its form nowhere else", async () => {
  const reply = await gateway.send('GET', `/signup/verify?pendingId=${pendingId}&code=c0de`);
  expect(reply.status).toBe(200);
  expect(reply.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(reply.headers['cache-control']).toBe('no-store');
  expect(reply.headers['referrer-policy']).toBe('no-referrer');
  expect(reply.headers['content-security-policy']).toContain("default-src 'none'");
  expect(reply.headers['content-security-policy']).toContain("form-action 'self'");
  expect(reply.headers['content-security-policy']).not.toContain('script');
  expect(reply.text).not.toContain('<script');
  expect(reply.text).toContain('<form method="post" action="verify">');
  expect(reply.text).toContain(`name="pendingId" value="${pendingId}"`);
  expect(gateway.calls).toEqual([]);
});

test('a link cannot put markup into the page', async () => {
  const evil = encodeURIComponent('"><img src=x>');
  const reply = await gateway.send('GET', `/signup/verify?pendingId=${evil}&code=${evil}`);
  expect(reply.text).not.toContain('<img');
  expect(reply.text).toContain('value="&quot;&gt;&lt;img src=x&gt;"');
});

test("the page's button confirms, and says what came of it", async () => {
  const sent = await post('/signup/verify', `pendingId=${pendingId}&code=c0de`, form);
  expect([sent.status, sent.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  expect(sent.text).toContain('Your account is active');
  expect(gateway.calls).toMatchObject([{ rpc: 'verifySignup', request: { pendingId, code: 'c0de' } }]);
  gateway.answer({ verifySignup: () => Promise.reject(new AppError('invalid', 'invalid_code', 'No.')) });
  const refused = await post('/signup/verify', `pendingId=${pendingId}&code=0ld-c0de`, form);
  expect([refused.status, refused.headers['content-type']]).toEqual([400, 'text/html; charset=utf-8']);
  expect(refused.text).not.toContain('0ld-c0de');
});
