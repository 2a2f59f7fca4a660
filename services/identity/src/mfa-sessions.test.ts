import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Secret, TOTP } from 'otpauth';
import { newId } from '#platform/ids.ts';
import {
  anonymous,
  type IdentityUnderTest,
  listenForRevocations,
  logInAs,
  mailsTo,
  operator,
  provisionTestMerchant,
  startIdentity,
} from './testing.ts';

const minuteMs = 60_000;
const invalidGrant = { code: 'invalid_grant' };
const unauthorized = { kind: 'unauthenticated', code: 'unauthorized' };
let identity: IdentityUnderTest;
let revocations: Awaited<ReturnType<typeof listenForRevocations>>;
let admin: Awaited<ReturnType<typeof logInAs>>;

beforeAll(async () => {
  identity = await startIdentity();
  revocations = await listenForRevocations();
  const root = { email: `root-${randomBytes(4).toString('hex')}@example.com`, password: 'correct horse battery' };
  await identity.client.provisionMerchant({ ...root, name: 'Root', company: 'Platform', admin: true }, operator);
  admin = await logInAs(identity, root);
});
afterAll(async () => {
  revocations.stop();
  await identity.stop();
});

const authenticate = (credential: string) => identity.client.authenticate({ credential }, anonymous);
const refresh = (refreshToken: string) => identity.client.refreshToken({ refreshToken }, anonymous);
const rows = (name: string) => identity.database.connection.collection(name);
const codeOf = (secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: identity.now().getTime() });

/** Turns MFA on in a session of a new merchant's owner, who has a second session. */
async function withMfa() {
  const merchant = await provisionTestMerchant(identity);
  const [other, own] = [await logInAs(identity, merchant), await logInAs(identity, merchant)];
  const { secret } = await identity.client.enableMfa({}, own.caller);
  const verify = () => identity.client.verifyMfa({ code: codeOf(secret) }, own.caller);
  return { ...merchant, secret, verify, own, other };
}

async function expectEnded({ accessToken, refreshToken }: { accessToken: string; refreshToken: string }) {
  await expect(authenticate(accessToken)).rejects.toMatchObject(unauthorized);
  await expect(refresh(refreshToken)).rejects.toMatchObject(invalidGrant);
}

describe('turning MFA on', () => {
  test('needs a log-in of the last ten minutes, however fresh its token is', async () => {
    const merchant = await provisionTestMerchant(identity);
    const old = await logInAs(identity, merchant);
    identity.advance(10 * minuteMs + 1);
    await refresh(old.refreshToken);
    const refused = { kind: 'forbidden', code: 'recent_login_required', details: { maxAgeSeconds: 600 } };
    await expect(identity.client.enableMfa({}, old.caller)).rejects.toMatchObject(refused);
    const recent = await logInAs(identity, merchant);
    identity.advance(9 * minuteMs);
    await expect(identity.client.enableMfa({}, recent.caller)).resolves.toBeDefined();
  });

  test("is refused in a session that is not the user's", async () => {
    const [one, two] = [await provisionTestMerchant(identity), await provisionTestMerchant(identity)];
    const { caller } = await logInAs(identity, one);
    const { credentialId } = (await logInAs(identity, two)).caller;
    for (const id of [credentialId, newId(), '']) {
      const attempt = identity.client.enableMfa({}, { ...caller, credentialId: id });
      await expect(attempt).rejects.toMatchObject(unauthorized);
    }
  });

  test('ends the other sessions, and no session when the code is wrong', async () => {
    const { user, own, other, verify } = await withMfa();
    await expect(identity.client.verifyMfa({ code: '000000' }, own.caller)).rejects.toMatchObject({
      code: 'invalid_code',
    });
    await expect(authenticate(other.accessToken)).resolves.toBeDefined();
    await verify();
    await revocations.told(user.id);
    await expectEnded(other);
    await expect(authenticate(own.accessToken)).resolves.toMatchObject({ credentialId: own.sessionId });
    await expect(refresh(own.refreshToken)).resolves.toBeDefined();
    const [entry] = await rows('audit_logs').find({ subjectId: user.id, action: 'mfa_enabled' }).toArray();
    expect(entry).toMatchObject({ details: { sessionsEnded: 1 } });
  });

  test('leaves no session that a log-in at the same time opened without a code', async () => {
    const { email, password, own, verify } = await withMfa();
    const logIn = () => identity.client.logIn({ email, password }, anonymous);
    const [, ...logIns] = await Promise.allSettled([verify(), ...Array.from({ length: 6 }, logIn)]);
    for (const result of logIns) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'mfa_required' });
      else await expectEnded(result.value);
    }
    await expect(authenticate(own.accessToken)).resolves.toBeDefined();
  });
});

describe('the owner is told by mail', () => {
  test('that MFA was turned on, and that it was turned off', async () => {
    const { email, secret, own, verify } = await withMfa();
    const { codes } = await verify();
    const [on = ''] = await mailsTo(identity, email, 1);
    expect(on).toMatch(/Subject: The second factor of your Tallycard account is on/);
    expect(on).toMatch(/\d{4}-\d\d-\d\d \d\d:\d\d UTC from 127\.0\.0\.0\/24/);
    await identity.client.disableMfa({ code: codes[0] ?? '' }, own.caller);
    const mails = await mailsTo(identity, email, 2);
    expect(mails.join()).toMatch(/Subject: The second factor of your Tallycard account is off/);
    for (const told of [secret, ...codes]) expect(mails.join()).not.toContain(told);
  });

  test('and of nothing that was refused', async () => {
    const { own } = await withMfa();
    const before = await rows('mails').countDocuments();
    await expect(identity.client.verifyMfa({ code: '000000' }, own.caller)).rejects.toBeDefined();
    await expect(identity.client.disableMfa({ code: '000000' }, own.caller)).rejects.toBeDefined();
    expect(await rows('mails').countDocuments()).toBe(before);
  });
});

describe("resetting a user's MFA", () => {
  test('is for administrators only, for no key of theirs, and not for their own', async () => {
    const { user, own } = await withMfa();
    const forbidden = { kind: 'forbidden', code: 'forbidden' };
    const keys = (['app_key', 'api_key', 'operator', 'anonymous'] as const).map((kind) => ({ ...admin.caller, kind }));
    for (const caller of [own.caller, ...keys]) {
      await expect(identity.client.resetMfa({ userId: user.id }, caller)).rejects.toMatchObject(forbidden);
    }
    const own409 = { kind: 'conflict', code: 'cannot_reset_own_mfa' };
    await expect(identity.client.resetMfa({ userId: admin.caller.userId }, admin.caller)).rejects.toMatchObject(own409);
  });

  test('knows nobody of a made-up id', async () => {
    for (const userId of [newId(), 'x', '']) {
      const attempt = identity.client.resetMfa({ userId }, admin.caller);
      await expect(attempt).rejects.toMatchObject({ kind: 'not_found', code: 'not_found' });
    }
  });

  test('lets the user in by password alone, also when it was locked; ends its sessions and tells of it', async () => {
    const { user, email, password, own, verify } = await withMfa();
    await verify();
    const guess = () => identity.client.logIn({ email, password, code: 'abcd' }, anonymous);
    await Promise.allSettled(Array.from({ length: 6 }, guess));
    expect(await identity.client.resetMfa({ userId: user.id }, admin.caller)).toEqual(user);
    await revocations.told(user.id);
    await expectEnded(own);
    const again = await logInAs(identity, { email, password });
    const { secret } = await identity.client.enableMfa({}, again.caller);
    await expect(identity.client.verifyMfa({ code: codeOf(secret) }, again.caller)).resolves.toBeDefined();
    const [entry] = await rows('audit_logs').find({ subjectId: user.id, action: 'mfa_reset' }).toArray();
    expect(entry).toMatchObject({ actorId: admin.caller.userId, details: { wasOn: true, sessionsEnded: 1 } });
    expect(String(entry?.merchantId)).toBe(user.id);
    // Twice it was turned on; mails of about one moment arrive in any order.
    const mails = await mailsTo(identity, email, 3);
    const told = mails.filter((mail) => mail.includes('An administrator has taken the second factor'));
    expect(told).toHaveLength(1);
    // Whose address that was is not the user's to know.
    expect(told[0]).not.toContain('127.0.0');
  });

  test('of a user who has none ends its sessions, and sends no mail', async () => {
    const merchant = await provisionTestMerchant(identity);
    const session = await logInAs(identity, merchant);
    await identity.client.resetMfa({ userId: merchant.user.id }, admin.caller);
    await expectEnded(session);
    expect(await rows('mails').countDocuments({})).toBe(0);
  });
});
