import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { Secret, TOTP } from 'otpauth';
import { until } from '../support/api.ts';
import { sharedApi, sharedDemo } from '../support/shared-stack.ts';

const api = sharedApi().as(undefined);
const mailDir = join(String(process.env.TEST_DATA_DIR), 'mail');

/** The link in the first mail to an address, once it has come. */
async function linkTo(email: string): Promise<URL> {
  let mail: string | undefined;
  await until('the mail has come', () => {
    const names = readdirSync(mailDir).filter((name) => name.endsWith('.eml'));
    mail = names
      .map((name) => readFileSync(join(mailDir, name), 'utf8'))
      .find((text) => text.includes(`To: ${email}\n`));
    return mail !== undefined;
  });
  const text = String(mail)
    .replace(/=\r?\n/g, '')
    .replaceAll('=3D', '=');
  return new URL(String(/https?:\/\/\S+\/signup\/verify\?\S+/.exec(text)?.[0]));
}

async function logIn(body: object) {
  const { status, body: answer } = await api.post('/v2/token', body);
  return { status, code: answer.code, user: api.as(String(answer.access_token)) };
}

test('from a visitor to a merchant with a second factor, whom an administrator can stop', async () => {
  const email = `visitor-${randomBytes(4).toString('hex')}@shop.example`;
  const passwordHash = randomBytes(32).toString('base64');
  const at = new Date().toISOString();
  const visitor = { email, passwordHash, name: 'Ada', company: 'Corner Coffee', country: 'GB' };
  const signup = { ...visitor, consent: { tosAt: at, dpaAt: at, privacyAt: at, ip: '203.0.113.77' } };
  const fresh = await api.post('/v2/signup/pending', signup);
  expect(fresh).toMatchObject({ status: 201, body: { pendingId: expect.stringMatching(/^[0-9a-f]{24}$/) } });
  expect(await api.post('/v2/signup/pending', signup)).toMatchObject({ status: 200, body: fresh.body });
  expect(await logIn({ email, passwordHash })).toMatchObject({ status: 401, code: 'invalid_grant' });

  const link = await linkTo(email);
  const { pendingId, code } = Object.fromEntries(link.searchParams);
  const page = await fetch(new URL(link.pathname + link.search, api.baseUrl));
  expect(await page.text()).toContain('<form method="post" action="verify">');
  expect(await logIn({ email, passwordHash })).toMatchObject({ status: 401 });
  const verified = await api.post('/v2/signup/verify', { pendingId, code });
  expect(verified).toMatchObject({ status: 200, body: { id: fresh.body.pendingId, email, active: true } });

  const { user } = await logIn({ email, passwordHash });
  expect((await user.post('/v2/loyalty/programs', { name: 'Club', type: 'GIFT_CARD' })).status).toBe(201);
  const { secret, qrCode } = (await user.post('/v2/token/mfa/enable')).body;
  expect(qrCode).toMatch(/^data:image\/png;base64,/);
  const totp = new TOTP({ secret: Secret.fromBase32(String(secret)) });
  const codes = (await user.post('/v2/token/mfa/verify', { code: totp.generate() })).body.recoveryCodes as string[];
  expect(codes).toHaveLength(10);
  expect(await logIn({ email, passwordHash })).toMatchObject({ status: 401, code: 'mfa_required' });
  expect((await logIn({ email, passwordHash, code: codes[0] })).status).toBe(200);

  const { admin } = sharedDemo();
  const administrator = (await logIn(admin)).user;
  expect((await user.get(`/v2/admin/users?email=${email}`)).body).toMatchObject({ status: 403, scope: 'admin' });
  expect((await administrator.get(`/v2/admin/users?email=${email}`)).body).toMatchObject([{ id: pendingId }]);
  expect((await administrator.post(`/v2/admin/users/${pendingId}/deactivate`)).status).toBe(200);
  expect((await user.get('/v2/token')).status).toBe(401);
  expect((await administrator.post(`/v2/admin/users/${pendingId}/activate`)).status).toBe(200);
  // Its sessions are over for good.
  expect((await user.get('/v2/token')).status).toBe(401);
  const { user: again } = await logIn({ email, passwordHash, code: codes[1] });
  expect((await again.get('/v2/token')).status).toBe(200);
  expect((await again.send('DELETE', `/v2/admin/users/${pendingId}/mfa`)).body).toMatchObject({
    status: 403,
    scope: 'admin',
  });
  expect((await administrator.send('DELETE', `/v2/admin/users/${pendingId}/mfa`)).body).toMatchObject({
    id: pendingId,
  });
  expect((await again.get('/v2/token')).status).toBe(401);

  const { body: pair } = await api.post('/v2/token', { email, passwordHash });
  const last = api.as(String(pair.access_token));
  expect((await last.get('/v2/token')).status).toBe(200);
  for (const token of [pair.access_token, pair.refresh_token, 'unknown']) {
    expect((await api.post('/v2/token/logout', { token })).status).toBe(204);
  }
  expect((await last.get('/v2/token')).status).toBe(401);
  const refresh = { grant_type: 'refresh_token', refresh_token: pair.refresh_token };
  expect((await api.post('/v2/token', refresh)).status).toBe(401);
});

test('the published keys verify a token', async () => {
  const { keys } = (await api.get('/.well-known/jwks.json')).body as { keys: { kid: string }[] };
  const [header = ''] = sharedDemo().accessToken.split('.');
  const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { kid: string };
  expect(keys.map((key) => key.kid)).toContain(kid);
});
