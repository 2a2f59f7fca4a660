import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '#platform/ids.ts';
import {
  anonymous,
  callerOf,
  type IdentityUnderTest,
  listenForRevocations,
  operator,
  provisionTestMerchant,
  startIdentity,
} from './testing.ts';

const forbidden = { kind: 'forbidden', code: 'forbidden' };
const unauthorized = { kind: 'unauthenticated', code: 'unauthorized' };
let identity: IdentityUnderTest;
let admin: Awaited<ReturnType<typeof provisionAdmin>>;
let revocations: Awaited<ReturnType<typeof listenForRevocations>>;

async function provisionAdmin() {
  const email = `admin-${randomBytes(4).toString('hex')}@example.com`;
  const owner = { email, password: 'correct horse battery', name: 'Root', company: 'Platform' };
  const user = await identity.client.provisionMerchant({ ...owner, admin: true }, operator);
  return { user, ...owner, caller: callerOf(user) };
}

const authenticate = (credential: string) => identity.client.authenticate({ credential }, anonymous);

beforeAll(async () => {
  identity = await startIdentity();
  revocations = await listenForRevocations();
  admin = await provisionAdmin();
});
afterAll(async () => {
  revocations.stop();
  await identity.stop();
});

describe('administering users', () => {
  test('is for administrators only, and for none of their keys', async () => {
    const merchant = await provisionTestMerchant(identity);
    const stranger = { ...admin.caller, userId: newId() };
    const keys = (['app_key', 'api_key', 'operator', 'anonymous'] as const).map((kind) => ({ ...admin.caller, kind }));
    for (const caller of [merchant.caller, stranger, ...keys]) {
      await expect(identity.client.findUser({ email: admin.email }, caller)).rejects.toMatchObject(forbidden);
      const change = { userId: merchant.user.id, active: false };
      await expect(identity.client.setUserActive(change, caller)).rejects.toMatchObject(forbidden);
    }
  });

  test('is not for an administrator who was made inactive', async () => {
    const former = await provisionAdmin();
    await identity.client.setUserActive({ userId: former.user.id, active: false }, admin.caller);
    const attempt = identity.client.setUserActive({ userId: former.user.id, active: true }, former.caller);
    await expect(attempt).rejects.toMatchObject(forbidden);
  });

  test('knows nobody of a made-up id or e-mail', async () => {
    const missing = { kind: 'not_found', code: 'not_found' };
    for (const userId of [newId(), 'x']) {
      const attempt = identity.client.setUserActive({ userId, active: false }, admin.caller);
      await expect(attempt).rejects.toMatchObject(missing);
    }
    await expect(identity.client.findUser({ email: 'a@b.example' }, admin.caller)).rejects.toMatchObject(missing);
  });

  test('does not let an administrator lock himself out', async () => {
    const attempt = identity.client.setUserActive({ userId: admin.user.id, active: false }, admin.caller);
    await expect(attempt).rejects.toMatchObject({ kind: 'conflict', code: 'cannot_deactivate_self' });
  });

  test('finds a user by e-mail in any case', async () => {
    const { user, email } = await provisionTestMerchant(identity);
    expect(await identity.client.findUser({ email: email.toUpperCase() }, admin.caller)).toEqual(user);
  });
});

describe('an inactive user', () => {
  test('has no credential that works; its keys do once it is active again, and its sessions are over', async () => {
    const { user, email, password, caller } = await provisionTestMerchant(identity);
    const pair = await identity.client.logIn({ email, password }, anonymous);
    const appKey = await identity.client.createAppKey({ name: 'Till' }, caller);
    const key = appKey.token ?? '';
    const credentials = [pair.accessToken, key];

    const gone = await identity.client.setUserActive({ userId: user.id, active: false }, admin.caller);
    expect(gone).toEqual({ ...user, active: false });
    await revocations.told(user.id);
    for (const credential of credentials) await expect(authenticate(credential)).rejects.toMatchObject(unauthorized);
    await expect(identity.client.getUser({}, caller)).rejects.toMatchObject(unauthorized);
    const invalidGrant = { code: 'invalid_grant' };
    await expect(identity.client.logIn({ email, password }, anonymous)).rejects.toMatchObject(invalidGrant);
    const { refreshToken } = pair;
    await expect(identity.client.refreshToken({ refreshToken }, anonymous)).rejects.toMatchObject(invalidGrant);

    expect(await identity.client.setUserActive({ userId: user.id, active: true }, admin.caller)).toEqual(user);
    expect(await authenticate(key)).toMatchObject({ userId: user.id });
    await expect(authenticate(pair.accessToken)).rejects.toMatchObject(unauthorized);
    await expect(identity.client.refreshToken({ refreshToken }, anonymous)).rejects.toMatchObject(invalidGrant);
    await expect(identity.client.logIn({ email, password }, anonymous)).resolves.toBeDefined();
  });

  test('has no session of a log-in that was under way when it was made inactive', async () => {
    const { user, email, password } = await provisionTestMerchant(identity);
    const logIn = () => identity.client.logIn({ email, password }, anonymous);
    const change = (active: boolean) => identity.client.setUserActive({ userId: user.id, active }, admin.caller);
    const [, ...logIns] = await Promise.allSettled([change(false), ...Array.from({ length: 6 }, logIn)]);
    await change(true);
    for (const result of logIns) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'invalid_grant' });
      else await expect(authenticate(result.value.accessToken)).rejects.toMatchObject(unauthorized);
    }
  });

  test('is told of in the audit log, once for each change', async () => {
    const { user } = await provisionTestMerchant(identity);
    for (const active of [false, false, true]) {
      await identity.client.setUserActive({ userId: user.id, active }, admin.caller);
    }
    const rows = await identity.database.connection
      .collection('audit_logs')
      .find({ subjectId: user.id })
      .sort({ _id: 1 })
      .toArray();
    expect(rows.map(({ action }) => action)).toEqual(['user_created', 'user_deactivated', 'user_activated']);
    expect(String(rows[1]?.merchantId)).toBe(user.id);
    expect(rows[1]).toMatchObject({ actorType: 'user', actorId: admin.user.id, actorName: 'Root' });
  });
});

describe('an administrator', () => {
  test('is one with an access token, and not with a key', async () => {
    const { email, password, caller } = admin;
    const pair = await identity.client.logIn({ email, password }, anonymous);
    expect(await authenticate(pair.accessToken)).toMatchObject({ kind: 'user', admin: true });
    const { token = '' } = await identity.client.createAppKey({ name: 'Root' }, caller);
    expect(await authenticate(token)).toMatchObject({ kind: 'app_key', admin: false });
  });

  test('can be made of an earlier user, whose tokens are asked about again', async () => {
    const { user, email, password } = await provisionTestMerchant(identity);
    const again = { email, password, name: 'Owner', company: 'Shop Ltd', admin: true };
    expect(await identity.client.provisionMerchant(again, operator)).toEqual({ ...user, admin: true });
    await revocations.told(user.id);
    expect(await identity.client.findUser({ email }, callerOf(user))).toMatchObject({ admin: true });
  });
});
