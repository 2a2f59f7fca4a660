import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '#platform/ids.ts';
import { testCaller } from '#platform/testing.ts';
import { anonymous, type IdentityUnderTest, mailsTo, provisionTestMerchant, startIdentity } from './testing.ts';

const hourMs = 3_600_000;
const invalidCode = { kind: 'invalid', code: 'invalid_code' };
let identity: IdentityUnderTest;

beforeAll(async () => {
  identity = await startIdentity();
});
afterAll(() => identity.stop());

type Command = Parameters<IdentityUnderTest['client']['createPendingSignup']>[0];

function command(changes: Partial<Command> = {}): Command {
  const at = new Date(identity.now().getTime() - 1_000);
  return {
    email: `new-${randomBytes(5).toString('hex')}@shop.example`,
    passwordHash: randomBytes(32).toString('base64'),
    name: 'Ada',
    company: 'Corner Coffee',
    country: 'gb',
    consent: { tosAt: at, dpaAt: at, privacyAt: at, ip: '203.0.113.77' },
    utm: { source: 'fair', campaign: 'spring' },
    ...changes,
  };
}

const submit = (request: Command, caller = anonymous) => identity.client.createPendingSignup(request, caller);
const verify = (pendingId: string, code: string) => identity.client.verifySignup({ pendingId, code }, anonymous);
const rows = (name: string) => identity.database.connection.collection(name);
const audited = (subjectId: string) => rows('audit_logs').find({ subjectId }).sort({ _id: 1 }).toArray();

const codeIn = (mail = '') => /code=([\w-]{32})/.exec(mail)?.[1] ?? 'no code';

describe('a sign-up is refused', () => {
  test('with every malformed field named, and no secret echoed', async () => {
    const broken = { email: 'nobody', passwordHash: 'hunter2', name: '', company: 'x'.repeat(201), country: 'GBR' };
    const request = command({ ...broken, utm: { source: 'x'.repeat(201) } });
    request.consent = { tosAt: undefined, dpaAt: undefined, privacyAt: undefined, ip: '300.1.1.1' };
    const error = await submit(request).catch((thrown) => thrown);
    expect(error).toMatchObject({ kind: 'unprocessable', code: 'validation_error' });
    expect(error.details.detail.map(({ loc }: { loc: string[] }) => loc.slice(1).join('.'))).toEqual([
      ...['email', 'passwordHash', 'name', 'company', 'country', 'consent.ip', 'utm.source'],
    ]);
    expect(JSON.stringify(error.details)).not.toContain('hunter2');
  });

  test.each(['tosAt', 'dpaAt', 'privacyAt'] as const)(
    'without the consent %s, or with one of the future',
    async (box) => {
      for (const at of [undefined, new Date(identity.now().getTime() + 6 * 60_000)]) {
        const request = command();
        request.consent = { ...(request.consent as NonNullable<Command['consent']>), [box]: at };
        await expect(submit(request)).rejects.toMatchObject({ kind: 'invalid', code: 'consent_missing' });
      }
      await expect(submit(command({ consent: undefined }))).rejects.toMatchObject({ code: 'consent_missing' });
    },
  );

  test.each([
    ['invalid_country', { country: 'XX' }],
    ['disposable_email', { email: 'ada@mailinator.com' }],
  ])('with %s', async (code, changes) => {
    await expect(submit(command(changes))).rejects.toMatchObject({ kind: 'invalid', code });
    expect(await rows('signups').countDocuments({ email: 'ada@mailinator.com' })).toBe(0);
  });

  test('not for a clock that is a little fast', async () => {
    const request = command();
    const soon = new Date(identity.now().getTime() + 60_000);
    request.consent = { tosAt: soon, dpaAt: soon, privacyAt: soon };
    await expect(submit(request)).resolves.toMatchObject({ resumed: false });
  });
});

describe('a sign-up', () => {
  test('is made, then resumed, live or abandoned, under one id', async () => {
    const own = await startIdentity();
    try {
      const request = command({ email: 'ada@shop.example' });
      const first = await own.client.createPendingSignup(request, anonymous);
      expect(first).toEqual({ pendingId: expect.stringMatching(/^[0-9a-f]{24}$/), resumed: false });
      const upper = { ...request, email: 'ADA@shop.example' };
      expect(await own.client.createPendingSignup(upper, anonymous)).toEqual({ ...first, resumed: true });
      own.advance(25 * hourMs);
      expect(await own.client.createPendingSignup(request, anonymous)).toEqual({ ...first, resumed: true });
    } finally {
      await own.stop();
    }
  });

  test('becomes an active user with what was submitted, and a merchant of the same id', async () => {
    const request = command();
    const { pendingId } = await submit(request);
    const login = { email: request.email, passwordHash: request.passwordHash };
    await expect(identity.client.logIn(login, anonymous)).rejects.toMatchObject({ code: 'invalid_grant' });
    const code = codeIn((await mailsTo(identity, request.email, 1))[0]);
    const user = await verify(pendingId, code);
    expect(user).toMatchObject({ id: pendingId, email: request.email, name: 'Ada', active: true, admin: false });
    expect(user.emailVerified).toBeInstanceOf(Date);
    const pair = await identity.client.logIn(login, anonymous);
    const principal = await identity.client.authenticate({ credential: pair.accessToken }, anonymous);
    expect(principal).toMatchObject({ merchantId: pendingId, userId: pendingId, kind: 'user' });
    const row = await rows('users').findOne({ email: request.email });
    expect(row).toMatchObject({ company: 'Corner Coffee', country: 'GB', utm: { source: 'fair', campaign: 'spring' } });
    expect(row?.consent).toEqual({
      tosAt: request.consent?.tosAt,
      dpaAt: request.consent?.dpaAt,
      privacyAt: request.consent?.privacyAt,
      network: '203.0.113.0/24',
    });
    expect((await audited(pendingId)).map(({ action }) => action)).toEqual(
      expect.arrayContaining(['signup_created', 'signup_verified']),
    );
  });

  test('stores and logs neither the code nor the password nor a whole address, its own or the given', async () => {
    const request = command();
    const caller = testCaller({ ip: '198.51.100.99' });
    const { pendingId } = await submit(request, caller);
    const code = codeIn((await mailsTo(identity, request.email, 1))[0]);
    await identity.client.verifySignup({ pendingId, code }, caller);
    // What is told of where it came from is what was seen, not what was said.
    expect((await mailsTo(identity, request.email, 1))[0]).toContain('from 198.51.100.0/24');
    expect((await audited(pendingId))[0]).toMatchObject({ ipAddress: '198.51.100.0/24' });
    const other = command({ consent: { ...command().consent, ip: undefined } as Command['consent'] });
    const second = await submit(other, caller);
    expect(await rows('signups').findOne({ email: other.email })).toMatchObject({
      submissions: [{ consent: { network: '198.51.100.0/24' } }],
    });
    expect((await audited(second.pendingId))[0]).toMatchObject({ ipAddress: '198.51.100.0/24' });
    const names = ['signups', 'users', 'mails', 'audit_logs'];
    const stored = JSON.stringify(await Promise.all(names.map((name) => rows(name).find().toArray())));
    for (const secret of [code, request.passwordHash, '203.0.113.77', '198.51.100.99']) {
      expect(stored).not.toContain(secret);
      expect(identity.logLines.join('\n')).not.toContain(secret);
    }
  });

  test('is made once when it is sent many times at once', async () => {
    const request = command();
    const made = await Promise.all(Array.from({ length: 6 }, () => submit(request)));
    expect(new Set(made.map(({ pendingId }) => pendingId)).size).toBe(1);
    expect(made.filter(({ resumed }) => !resumed)).toHaveLength(1);
    expect(await rows('signups').countDocuments({ email: request.email })).toBe(1);
  });

  test('mails an address so often for one network, and still for another, and answers the same beyond', async () => {
    const own = await startIdentity();
    try {
      const request = command({ email: 'flooded@shop.example' });
      const send = async (times: number, ip = '198.51.100.1') => {
        for (let count = 0; count < times; count += 1) {
          await own.client.createPendingSignup(request, testCaller({ ip }));
        }
        return (await own.database.connection.collection('signups').findOne({ email: request.email }))?.submissions;
      };
      expect(await send(5)).toHaveLength(3);
      // Another address of the same network, whatever it says of itself, changes nothing.
      expect(await send(1, '198.51.100.250')).toHaveLength(3);
      own.advance(hourMs + 1);
      expect(await send(5)).toHaveLength(5);
      for (let network = 0; network < 10; network += 1) await send(1, `192.0.${network}.1`);
      expect(await send(1, '192.0.0.2')).toHaveLength(15);
      // The owner, who has asked for nothing yet, gets a mail nevertheless.
      expect(await send(1, '203.0.113.5')).toHaveLength(16);
      own.advance(24 * hourMs);
      expect(await send(1)).toHaveLength(1);
    } finally {
      await own.stop();
    }
  });
});

describe('a code', () => {
  test('is refused alike when it is wrong, of another sign-up, too old, or of no sign-up', async () => {
    const [request, other] = [command(), command()];
    const { pendingId } = await submit(request);
    const { pendingId: otherId } = await submit(other);
    const code = codeIn((await mailsTo(identity, request.email, 1))[0]);
    const tries: [string, string][] = [
      [pendingId, 'x'.repeat(32)],
      [pendingId, ''],
      [pendingId, 'x'.repeat(1_000_000)],
      [otherId, code],
      [newId(), code],
      ['nonsense', code],
    ];
    for (const [id, tried] of tries) await expect(verify(id, tried)).rejects.toMatchObject(invalidCode);
    expect(await rows('users').countDocuments({ email: request.email })).toBe(0);
  });

  test('is refused after 24 hours, and the sign-up can be resumed', async () => {
    const own = await startIdentity();
    try {
      const request = command({ email: 'late@shop.example' });
      const { pendingId } = await own.client.createPendingSignup(request, anonymous);
      const code = codeIn((await mailsTo(own, request.email, 1))[0]);
      own.advance(24 * hourMs);
      await expect(own.client.verifySignup({ pendingId, code }, anonymous)).rejects.toMatchObject(invalidCode);
      expect(await own.client.createPendingSignup(request, anonymous)).toEqual({ pendingId, resumed: true });
      const fresh = codeIn((await mailsTo(own, request.email, 2))[1]);
      await expect(own.client.verifySignup({ pendingId, code }, anonymous)).rejects.toMatchObject(invalidCode);
      expect(await own.client.verifySignup({ pendingId, code: fresh }, anonymous)).toMatchObject({ active: true });
    } finally {
      await own.stop();
    }
  });

  test('makes one user, however often it comes at once, and says so again', async () => {
    const request = command();
    const { pendingId } = await submit(request);
    const code = codeIn((await mailsTo(identity, request.email, 1))[0]);
    const users = await Promise.all(Array.from({ length: 6 }, () => verify(pendingId, code)));
    for (const user of users) expect(user).toEqual(users[0]);
    expect(await verify(pendingId, code)).toEqual(users[0]);
    expect(await rows('users').countDocuments({ email: request.email })).toBe(1);
    expect((await audited(pendingId)).filter(({ action }) => action === 'signup_verified')).toHaveLength(1);
  });

  test('brings the password it was mailed for, not that of a stranger who signed up after', async () => {
    const victim = command();
    const { pendingId } = await submit(victim);
    const stranger = command({ email: victim.email, name: 'Eve' });
    expect(await submit(stranger)).toEqual({ pendingId, resumed: true });
    const [first, second] = (await mailsTo(identity, victim.email, 2)).map(codeIn);
    expect(await verify(pendingId, first ?? '')).toMatchObject({ name: 'Ada' });
    await expect(verify(pendingId, second ?? '')).rejects.toMatchObject(invalidCode);
    const { email, passwordHash } = victim;
    await expect(identity.client.logIn({ email, passwordHash }, anonymous)).resolves.toBeDefined();
    const taken = identity.client.logIn({ email, passwordHash: stranger.passwordHash }, anonymous);
    await expect(taken).rejects.toMatchObject({ code: 'invalid_grant' });
    expect(JSON.stringify(await rows('signups').findOne({ email }))).not.toContain('argon2');
  });

  test('of two that come at once one wins', async () => {
    const [one, two] = [command(), command({ name: 'Eve' })];
    const { pendingId } = await submit(one);
    await submit({ ...two, email: one.email });
    const codes = (await mailsTo(identity, one.email, 2)).map(codeIn);
    const results = await Promise.allSettled(codes.map((code) => verify(pendingId, code)));
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });
});

describe('an e-mail that has a user already', () => {
  test('is answered like every other: made, then resumed, under an id that can never be verified', async () => {
    const { email, user, password } = await provisionTestMerchant(identity);
    const first = await submit(command({ email }));
    expect(first).toEqual({ pendingId: expect.stringMatching(/^[0-9a-f]{24}$/), resumed: false });
    expect(first.pendingId).not.toBe(user.id);
    expect(await submit(command({ email }))).toEqual({ ...first, resumed: true });
    const mails = await mailsTo(identity, email, 2);
    for (const mail of mails) expect(mail).toContain('already have a Tallycard account');
    expect(mails.join('')).not.toContain('code=');
    expect(await rows('signups').findOne({ email })).toMatchObject({ submissions: [] });
    await expect(identity.client.logIn({ email, password }, anonymous)).resolves.toBeDefined();
    expect((await audited(user.id)).map(({ action }) => action)).toContain('signup_created');
  });

  test('also when the user came of a sign-up that a stranger knows the id of: he does not learn that it is his', async () => {
    const request = command();
    const { pendingId } = await submit(request);
    await verify(pendingId, codeIn((await mailsTo(identity, request.email, 1))[0]));
    const before = await rows('users').findOne({ email: request.email });
    const again = await submit(command({ email: request.email, name: 'Eve' }));
    expect(again).toMatchObject({ resumed: false });
    expect(again.pendingId).not.toBe(pendingId);
    expect(await submit(command({ email: request.email }))).toEqual({ ...again, resumed: true });
    const mails = await mailsTo(identity, request.email, 3);
    expect(mails.map((mail) => mail.includes('already have')).sort()).toEqual([false, true, true]);
    expect(await rows('users').findOne({ email: request.email })).toEqual(before);
  });

  test('and got it while the sign-up was under way makes no second user', async () => {
    const request = command();
    const { pendingId } = await submit(request);
    const code = codeIn((await mailsTo(identity, request.email, 1))[0]);
    const row = { merchantId: newId(), storedPassword: 'x', active: true, admin: false, createdAt: new Date() };
    await rows('users').insertOne({ ...row, email: request.email });
    await expect(verify(pendingId, code)).rejects.toMatchObject(invalidCode);
    expect(await rows('users').countDocuments({ email: request.email })).toBe(1);
  });
});
