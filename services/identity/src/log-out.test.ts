import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '#platform/ids.ts';
import {
  anonymous,
  type IdentityUnderTest,
  listenForRevocations,
  logInAs,
  provisionTestMerchant,
  startIdentity,
} from './testing.ts';

const dayMs = 24 * 3_600_000;
let identity: IdentityUnderTest;
let revocations: Awaited<ReturnType<typeof listenForRevocations>>;
let merchant: Awaited<ReturnType<typeof provisionTestMerchant>>;

beforeAll(async () => {
  identity = await startIdentity();
  revocations = await listenForRevocations();
  merchant = await provisionTestMerchant(identity);
});
afterAll(async () => {
  revocations.stop();
  await identity.stop();
});

const logOut = (token: string) => identity.client.logOut({ token }, anonymous);
const authenticate = (credential: string) => identity.client.authenticate({ credential }, anonymous);
const refresh = (refreshToken: string) => identity.client.refreshToken({ refreshToken }, anonymous);
const entries = (sessionId: string) =>
  identity.database.connection
    .collection('audit_logs')
    .find({ action: 'session_ended', 'details.sessionId': sessionId })
    .toArray();

describe('logging out', () => {
  test('is not how keys are revoked', async () => {
    const { secret = '' } = await identity.client.createKey(
      { name: 'Till', scopes: [], fullAccess: false, expiresAt: undefined, sandbox: false },
      merchant.caller,
    );
    const { token = '' } = await identity.client.createAppKey({ name: 'Till' }, merchant.caller);
    for (const key of [secret, token]) {
      await expect(logOut(key)).rejects.toMatchObject({
        kind: 'forbidden',
        code: 'forbidden',
        details: { scope: 'user' },
      });
      await expect(authenticate(key)).resolves.toBeDefined();
    }
  });

  test('with a token that is none of ours ends nothing, and is no error', async () => {
    const { accessToken, sessionId } = await logInAs(identity, merchant);
    const [head = '', payload = ''] = accessToken.split('.');
    const unsigned = [head, payload, ''].join('.');
    const forged = [head, payload, Buffer.alloc(64).toString('base64url')].join('.');
    for (const token of ['', 'x', newId(), sessionId, unsigned, forged]) expect(await logOut(token)).toEqual({});
    await expect(authenticate(accessToken)).resolves.toBeDefined();
  });

  test.each(['accessToken', 'refreshToken'] as const)('with the %s ends its session alone, once', async (which) => {
    const [session, other] = [await logInAs(identity, merchant), await logInAs(identity, merchant)];
    for (let round = 0; round < 2; round += 1) {
      expect(await logOut(session[which])).toEqual({ sessionId: session.sessionId });
    }
    await revocations.told(session.sessionId);
    await expect(authenticate(session.accessToken)).rejects.toMatchObject({ code: 'unauthorized' });
    await expect(refresh(session.refreshToken)).rejects.toMatchObject({ code: 'invalid_grant' });
    await expect(authenticate(other.accessToken)).resolves.toBeDefined();
    const told = await entries(session.sessionId);
    expect(told).toMatchObject([{ actorType: 'user', actorId: merchant.user.id, details: { reason: 'logged_out' } }]);
    expect(String(told[0]?.merchantId)).toBe(merchant.user.id);
  });

  test('works with a token that has run out, or was exchanged for the next', async () => {
    const first = await logInAs(identity, merchant);
    await refresh(first.refreshToken);
    expect(await logOut(first.refreshToken)).toEqual({ sessionId: first.sessionId });
    const second = await logInAs(identity, merchant);
    identity.advance(dayMs);
    await expect(authenticate(second.accessToken)).rejects.toMatchObject({ code: 'unauthorized' });
    expect(await logOut(second.accessToken)).toEqual({ sessionId: second.sessionId });
    await expect(refresh(second.refreshToken)).rejects.toMatchObject({ code: 'invalid_grant' });
  });

  test('many times at once ends the session once', async () => {
    const { accessToken, refreshToken, sessionId } = await logInAs(identity, merchant);
    await Promise.all(Array.from({ length: 6 }, (_, i) => logOut(i % 2 === 0 ? accessToken : refreshToken)));
    expect(await entries(sessionId)).toHaveLength(1);
  });
});

test('a session that ends because a refresh token came twice is told of in the audit log', async () => {
  const { refreshToken, sessionId } = await logInAs(identity, merchant);
  await refresh(refreshToken);
  for (let round = 0; round < 2; round += 1) {
    await expect(refresh(refreshToken)).rejects.toMatchObject({ code: 'invalid_grant' });
  }
  expect(await entries(sessionId)).toMatchObject([
    { actorType: 'anonymous', subjectId: merchant.user.id, details: { reason: 'refresh_token_reused' } },
  ]);
});
