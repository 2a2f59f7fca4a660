import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { AppError } from '#platform/errors.ts';
import { startTestGateway, type TestGateway } from '../../testing.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
beforeEach(() => gateway.reset());
afterAll(() => gateway.stop());

const ask = (body: unknown, type = 'application/json') =>
  gateway.send('POST', '/v2/token', { body, headers: { 'content-type': type } });

const places = (reply: { body: Record<string, unknown> }) =>
  (reply.body.detail as { loc: string[]; type: string }[]).map(({ loc, type }) => `${loc.join('.')} ${type}`);

test('a log-in by JSON or form, by username or e-mail, by password or its hash', async () => {
  const form = 'application/x-www-form-urlencoded';
  const asks: [unknown, string?][] = [
    [{ email: 'Ada@Example.com', password: 'horse' }],
    [{ username: 'ada@example.com', passwordHash: 'x'.repeat(44), grant_type: 'password' }],
    ['grant_type=password&username=ada%40example.com&password=horse&scope=&client_id=cli', form],
  ];
  for (const [body, type] of asks) {
    const reply = await ask(body, type);
    expect(reply.body).toEqual({
      access_token: 'access',
      token_type: 'Bearer',
      expires_in: 900,
      refresh_token: 'refresh',
    });
    expect(reply.headers['cache-control']).toBe('no-store');
  }
  expect(gateway.calls.map(({ request }) => request.email)).toEqual(Array(3).fill('ada@example.com'));
  expect(gateway.calls[1]?.request).toMatchObject({ passwordHash: 'x'.repeat(44) });
});

test('a refresh token is traded for new ones', async () => {
  expect((await ask({ grant_type: 'refresh_token', refresh_token: 'r' })).status).toBe(200);
  expect(gateway.calls).toMatchObject([{ rpc: 'refreshToken', request: { refreshToken: 'r' } }]);
});

test('each grant names what it lacks, together with every other fault', async () => {
  expect(places(await ask({}))).toEqual(['body.username missing', 'body.password missing']);
  for (const [body, type] of [
    ['null', 'missing'],
    ['5', 'model_attributes_type'],
    ['[]', 'model_attributes_type'],
  ]) {
    expect(places(await ask(body))).toEqual([`body ${type}`]);
  }
  expect(places(await ask({ grant_type: 'refresh_token' }))).toEqual(['body.refresh_token missing']);
  expect(places(await ask({ grant_type: 'magic', passwordHash: 'short', x: 1 }))).toEqual(
    expect.arrayContaining([
      'body.grant_type literal_error',
      'body.passwordHash string_too_short',
      'body.x extra_forbidden',
    ]),
  );
  expect(places(await ask({ email: 'nobody', x: 1 }))).toEqual(
    expect.arrayContaining(['body.email value_error', 'body.x extra_forbidden', 'body.password missing']),
  );
});

test('no secret comes back in a fault', async () => {
  const reply = await ask({
    password: 'hunter2',
    passwordHash: 'hunter2',
    code: 'hunter2'.repeat(20),
    refresh_token: 5,
  });
  expect(reply.status).toBe(422);
  expect(reply.text).not.toContain('hunter2');
});

test('a refused log-in is the 401 that identity means', async () => {
  gateway.answer({ logIn: () => Promise.reject(new AppError('unauthenticated', 'invalid_grant', 'No.')) });
  const reply = await ask({ email: 'ada@example.com', password: 'wrong' });
  expect([reply.status, reply.body.code]).toEqual([401, 'invalid_grant']);
});
