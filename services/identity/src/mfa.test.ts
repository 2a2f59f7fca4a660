import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Secret, TOTP } from 'otpauth';
import { anonymous, callerOf, type IdentityUnderTest, provisionTestMerchant, startIdentity } from './testing.ts';

const stepMs = 30_000;
const windowMs = 15 * 60_000;
const invalidGrant = { kind: 'unauthenticated', code: 'invalid_grant' };
const invalidCode = { kind: 'invalid', code: 'invalid_code' };
const rateLimited = { kind: 'rate_limited', code: 'rate_limited' };
type Merchant = Awaited<ReturnType<typeof newMerchant>>;
let identity: IdentityUnderTest;

beforeAll(async () => {
  identity = await startIdentity();
});
afterAll(() => identity.stop());

/** What an authenticator app shows `steps` time steps from now. */
function codeOf(secret: string, steps = 0): string {
  const timestamp = identity.now().getTime() + steps * stepMs;
  return new TOTP({ secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: 30 }).generate({
    timestamp,
  });
}

const logIn = ({ email, password }: Merchant, code?: string) =>
  identity.client.logIn({ email, password, ...(code !== undefined && { code }) }, anonymous);
const verify = ({ caller }: Merchant, code: string) => identity.client.verifyMfa({ code }, caller);
const disable = ({ caller }: Merchant, code: string) => identity.client.disableMfa({ code }, caller);
const rows = (name: string) => identity.database.connection.collection(name);

/** A merchant whose owner has a session since just now. */
async function newMerchant() {
  const merchant = await provisionTestMerchant(identity);
  const { ObjectId } = identity.database.connection.base.mongo;
  const [id, userId] = [new ObjectId(), new ObjectId(merchant.user.id)];
  const createdAt = identity.now();
  const session = {
    _id: id,
    merchantId: userId,
    userId,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + windowMs),
  };
  await rows('sessions').insertOne(session);
  return { ...merchant, caller: { ...merchant.caller, credentialId: id.toHexString() } };
}

/** A merchant with MFA on; the code that turned it on is used, so time moves on by a step. */
async function withMfa() {
  const merchant = await newMerchant();
  const { secret } = await identity.client.enableMfa({}, merchant.caller);
  const { codes } = await verify(merchant, codeOf(secret));
  identity.advance(stepMs);
  return { merchant, secret, codes };
}

/** The audit entries of a user and an action; those of refused log-ins too are there before the answer. */
const audited = (userId: string, action: string) => rows('audit_logs').find({ subjectId: userId, action }).toArray();

describe('setting MFA up', () => {
  test.each(['app_key', 'api_key', 'anonymous', 'operator'] as const)(
    'is not for a caller of kind %s',
    async (kind) => {
      const merchant = await newMerchant();
      const other = { ...merchant, caller: { ...merchant.caller, kind } };
      const forbidden = { kind: 'forbidden', code: 'forbidden' };
      await expect(identity.client.enableMfa({}, other.caller)).rejects.toMatchObject(forbidden);
      await expect(verify(other, '123456')).rejects.toMatchObject(forbidden);
      await expect(disable(other, '123456')).rejects.toMatchObject(forbidden);
    },
  );

  test('gives what an authenticator app needs, and changes no log-in until a code is verified', async () => {
    const merchant = await newMerchant();
    const { secret, otpauthUrl } = await identity.client.enableMfa({}, merchant.caller);
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    const url = new URL(otpauthUrl);
    expect(decodeURIComponent(url.pathname)).toContain(`Tallycard:${merchant.email}`);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      secret,
      issuer: 'Tallycard',
      digits: '6',
      period: '30',
    });
    await expect(logIn(merchant)).resolves.toBeDefined();
    await expect(verify(merchant, codeOf(secret, 5))).rejects.toMatchObject(invalidCode);
    await expect(logIn(merchant)).resolves.toBeDefined();
    const { codes } = await verify(merchant, codeOf(secret));
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/);
    await expect(logIn(merchant)).rejects.toMatchObject({ code: 'mfa_required' });
    expect(await audited(merchant.user.id, 'mfa_enabled')).toHaveLength(1);
  });

  test('anew drops the seed that was begun before', async () => {
    const merchant = await newMerchant();
    const { secret: first } = await identity.client.enableMfa({}, merchant.caller);
    const { secret: second } = await identity.client.enableMfa({}, merchant.caller);
    await expect(verify(merchant, codeOf(first))).rejects.toMatchObject(invalidCode);
    await expect(verify(merchant, codeOf(second))).resolves.toBeDefined();
  });

  test('many times at once leaves one seed', async () => {
    const merchant = await newMerchant();
    const begun = await Promise.all(Array.from({ length: 5 }, () => identity.client.enableMfa({}, merchant.caller)));
    expect(
      await rows('mfa').countDocuments({ merchantId: (await rows('users').findOne({ email: merchant.email }))?._id }),
    ).toBe(1);
    const results = await Promise.allSettled(begun.map(({ secret }) => verify(merchant, codeOf(secret))));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('is refused while it is on, and a code without a seed is wrong', async () => {
    const { merchant, secret } = await withMfa();
    const conflict = { kind: 'conflict', code: 'mfa_already_enabled' };
    await expect(identity.client.enableMfa({}, merchant.caller)).rejects.toMatchObject(conflict);
    await expect(verify(merchant, codeOf(secret))).rejects.toMatchObject(conflict);
    const without = await newMerchant();
    await expect(verify(without, '123456')).rejects.toMatchObject(invalidCode);
    await expect(disable(without, '123456')).rejects.toMatchObject(invalidCode);
  });

  test('stores and logs neither the seed nor a recovery code', async () => {
    const { secret, codes } = await withMfa();
    const stored = JSON.stringify(await rows('mfa').find().toArray());
    for (const text of [secret, ...codes]) {
      expect(stored).not.toContain(text);
      expect(identity.logLines.join('\n')).not.toContain(text);
    }
  });
});

describe('a log-in with MFA on', () => {
  test('says nothing of MFA before the password is right', async () => {
    const { merchant, secret } = await withMfa();
    for (const code of [undefined, codeOf(secret), '000000']) {
      await expect(logIn({ ...merchant, password: 'wrong' }, code)).rejects.toMatchObject(invalidGrant);
    }
    await expect(logIn(merchant)).rejects.toMatchObject({ kind: 'unauthenticated', code: 'mfa_required' });
    await expect(logIn(merchant, codeOf(secret))).resolves.toBeDefined();
  });

  test.each([-1, 0, 1])('takes the code of step %d', async (steps) => {
    const { merchant, secret } = await withMfa();
    identity.advance(2 * stepMs);
    await expect(logIn(merchant, codeOf(secret, steps))).resolves.toMatchObject({ expiresInSeconds: 900 });
  });

  test.each([-2, 2])('refuses the code of step %d', async (steps) => {
    const { merchant, secret } = await withMfa();
    identity.advance(3 * stepMs);
    await expect(logIn(merchant, codeOf(secret, steps))).rejects.toMatchObject(invalidGrant);
    expect(await audited(merchant.user.id, 'login_failed')).toMatchObject([{ details: { reason: 'code' } }]);
  });

  test('takes a code once, and none of before it', async () => {
    const { merchant, secret } = await withMfa();
    identity.advance(2 * stepMs);
    const [before, code] = [codeOf(secret, -1), codeOf(secret)];
    await logIn(merchant, ` ${code.slice(0, 3)} ${code.slice(3)} `);
    await expect(logIn(merchant, code)).rejects.toMatchObject(invalidGrant);
    await expect(logIn(merchant, before)).rejects.toMatchObject(invalidGrant);
  });

  test('gives one session for one code, on however many log-ins at once', async () => {
    const { merchant, secret } = await withMfa();
    const code = codeOf(secret);
    const before = await rows('sessions').countDocuments();
    const results = await Promise.allSettled(Array.from({ length: 4 }, () => logIn(merchant, code)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results) if (result.status === 'rejected') expect(result.reason).toMatchObject(invalidGrant);
    expect(await rows('sessions').countDocuments()).toBe(before + 1);
  });

  test('takes each recovery code once, however it is typed, also at once', async () => {
    const { merchant, codes } = await withMfa();
    const [first = '', second = ''] = codes;
    const typed = first.toUpperCase().replaceAll('-', ' ');
    const results = await Promise.allSettled([logIn(merchant, first), logIn(merchant, typed)]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(logIn(merchant, second)).resolves.toBeDefined();
    const entries = await audited(merchant.user.id, 'login_succeeded');
    const recovered = { secondFactor: 'recovery_code' };
    expect(entries.map(({ details }) => details)).toEqual([recovered, recovered]);
  });

  test("does not take another user's codes", async () => {
    const [one, two] = [await withMfa(), await withMfa()];
    await expect(logIn(one.merchant, two.codes[0])).rejects.toMatchObject(invalidGrant);
    await expect(logIn(one.merchant, codeOf(two.secret))).rejects.toMatchObject(invalidGrant);
  });

  test('is locked for a while by five wrong codes, though the sixth is right', async () => {
    const { merchant, secret } = await withMfa();
    const wrong = await Promise.allSettled(Array.from({ length: 8 }, () => logIn(merchant, 'abcd')));
    const codes = wrong.map((result) => result.status === 'rejected' && result.reason.code);
    expect(codes.filter((code) => code === 'invalid_grant')).toHaveLength(5);
    expect(codes.filter((code) => code === 'rate_limited')).toHaveLength(3);
    const locked = await logIn(merchant, codeOf(secret)).catch((error) => error);
    expect(locked).toMatchObject(rateLimited);
    expect(locked.details.retryAfterSeconds).toBeGreaterThan(600);
    identity.advance(windowMs);
    await expect(logIn(merchant, codeOf(secret))).resolves.toBeDefined();
  });

  test('is not locked by what is tried with a stolen token, which is bounded by itself', async () => {
    const { merchant, secret } = await withMfa();
    const tries = [...Array.from({ length: 4 }, () => disable(merchant, 'abcd')), verify(merchant, 'abcd')];
    for (const result of await Promise.allSettled(tries)) expect(result).toMatchObject({ status: 'rejected' });
    for (const settings of [disable, verify]) {
      await expect(settings(merchant, codeOf(secret))).rejects.toMatchObject(rateLimited);
    }
    await expect(logIn(merchant, codeOf(secret))).resolves.toBeDefined();
    identity.advance(windowMs);
    await expect(disable(merchant, codeOf(secret))).resolves.toBeDefined();
  });
});

test('a right code gives back its own try, and none that somebody else guessed with', async () => {
  const { merchant, codes } = await withMfa();
  const guess = () => expect(logIn(merchant, 'abcd')).rejects.toMatchObject(invalidGrant);
  for (let round = 0; round < 4; round += 1) {
    await guess();
    await expect(logIn(merchant, codes[round])).resolves.toBeDefined();
  }
  await guess();
  await expect(logIn(merchant, codes[5])).rejects.toMatchObject(rateLimited);
});

describe('turning MFA off', () => {
  test('takes a code or a recovery code, and no other', async () => {
    for (const by of ['totp', 'recovery_code'] as const) {
      const { merchant, secret, codes } = await withMfa();
      await expect(disable(merchant, '000000')).rejects.toMatchObject(invalidCode);
      await expect(logIn(merchant)).rejects.toMatchObject({ code: 'mfa_required' });
      await disable(merchant, by === 'totp' ? codeOf(secret) : (codes[0] ?? ''));
      await expect(logIn(merchant)).resolves.toBeDefined();
      expect(await audited(merchant.user.id, 'mfa_disabled')).toMatchObject([{ details: { by } }]);
      await expect(identity.client.enableMfa({}, merchant.caller)).resolves.toBeDefined();
    }
  });

  test('is not done by a code that a log-in used', async () => {
    const { merchant, secret } = await withMfa();
    const code = codeOf(secret);
    await logIn(merchant, code);
    await expect(disable(merchant, code)).rejects.toMatchObject(invalidCode);
  });

  test('is refused to an inactive user', async () => {
    const { merchant, secret } = await withMfa();
    await rows('users').updateOne({ email: merchant.email }, { $set: { active: false } });
    const unauthorized = { kind: 'unauthenticated', code: 'unauthorized' };
    await expect(disable({ ...merchant, caller: callerOf(merchant.user) }, codeOf(secret))).rejects.toMatchObject(
      unauthorized,
    );
  });
});

describe('the audit log', () => {
  test('tells of log-ins and of failed ones for known users, and of no unknown e-mail', async () => {
    const merchant = await newMerchant();
    await logIn(merchant);
    await expect(logIn({ ...merchant, password: 'wrong' })).rejects.toMatchObject(invalidGrant);
    const [failed] = await audited(merchant.user.id, 'login_failed');
    expect(failed).toMatchObject({ actorType: 'anonymous', details: { reason: 'password' }, ipAddress: '127.0.0.1' });
    expect(String(failed?.merchantId)).toBe(merchant.user.id);
    const [succeeded] = await audited(merchant.user.id, 'login_succeeded');
    expect(succeeded).toMatchObject({
      actorType: 'user',
      actorId: merchant.user.id,
      details: { secondFactor: 'none' },
    });
    const before = await rows('audit_logs').countDocuments();
    await expect(logIn({ ...merchant, email: 'nobody@shop.example' })).rejects.toMatchObject(invalidGrant);
    expect(await rows('audit_logs').countDocuments()).toBe(before);
    // The same work as for a known one, for a log that is nobody's and names nobody.
    const ofNobody = await rows('audit_logs_of_nobody').find().toArray();
    expect(ofNobody).toMatchObject([{ action: 'login_failed', details: { reason: 'password' } }]);
    expect(JSON.stringify(ofNobody)).not.toContain('nobody@shop.example');
  });
});
