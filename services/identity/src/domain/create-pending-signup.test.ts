import { describe, expect, test } from '@jest/globals';
import { testCaller } from '#platform/testing.ts';
import { createPendingSignup } from './create-pending-signup.ts';
import type { Signup } from './signup.ts';
import type { User } from './user.ts';

type Context = Parameters<typeof createPendingSignup>[0];

const now = new Date('2030-01-01T12:00:00Z');
const id = 'a'.repeat(24);
/** That of the test caller. */
const network = '127.0.0.0/24';
const owner = { id: 'b'.repeat(24), merchantId: 'b'.repeat(24), email: 'ada@shop.example', active: true } as User;
const consent = { tosAt: now, dpaAt: now, privacyAt: now, ip: '203.0.113.77' };
const command = {
  ...{ email: 'Ada@shop.example', passwordHash: 'x'.repeat(44), name: 'Ada', company: 'Shop', country: 'GB' },
  consent,
};

/** One sign-up and perhaps a user of its e-mail; `work` records what was asked of the outside, in its order. */
function contextWith(user: User | undefined, before: Partial<Signup> = {}) {
  const work: string[] = [];
  const did = <Result>(what: string, result: Result): Promise<Result> => {
    work.push(what);
    return Promise.resolve(result);
  };
  let saved: Signup | undefined;
  const context: Context = {
    now: () => now,
    publicUrl: 'https://api.example.com',
    users: {
      findByEmail: (email: string) => did(`find user ${email}`, user && { user, storedPassword: 'stored' }),
    } as unknown as Context['users'],
    signups: {
      ensure: () => did('ensure', id),
      get: () => did('get', { id, email: 'ada@shop.example', mails: [], submissions: [], ...before }),
      save: (signup) => {
        saved = signup;
        return did('save', undefined);
      },
    },
    passwords: { hash: () => did('hash', 'stored') } as unknown as Context['passwords'],
    secrets: { newSignupCode: () => ({ code: 'the-code', hash: 'its-hash' }) } as unknown as Context['secrets'],
    mails: { add: () => did('mail', undefined) },
    audit: { record: () => did('audit', undefined), recordOfNobody: () => did('audit', undefined) },
    transaction: (inside) => inside(),
  };
  return { context, work, saved: () => saved };
}

describe('a sign-up', () => {
  test.each([
    ['fresh', {}],
    ['resumed', { submittedAt: new Date(now.getTime() - 1_000) }],
    [
      'past its mails',
      { submittedAt: now, mails: Array(5).fill({ at: new Date(now.getTime() - 1_000), network }) as Signup['mails'] },
    ],
  ])('that is %s takes the same work and answer whether or not there is a user', async (_what, before) => {
    const [unknown, known] = [contextWith(undefined, before), contextWith(owner, before)];
    const answer = await createPendingSignup(unknown.context, testCaller(), command);
    expect(await createPendingSignup(known.context, testCaller(), command)).toEqual(answer);
    expect(known.work).toEqual(unknown.work);
    expect(unknown.work.slice(0, 2)).toEqual(['hash', 'ensure']);
  });

  test('of an e-mail that has a user keeps nothing that was sent', async () => {
    const { context, saved } = contextWith(owner);
    await createPendingSignup(context, testCaller(), command);
    const mails = [{ at: now, network }];
    expect(saved()).toEqual({ id, email: 'ada@shop.example', submittedAt: now, mails, submissions: [] });
  });

  test('drops what is too old to be verified, and keeps the rest', async () => {
    const one = { codeHash: 'h', storedPassword: 's', name: 'n', company: 'c', country: 'GB', consent };
    const submissions = [
      { ...one, codeHash: 'old', expiresAt: now },
      { ...one, codeHash: 'live', expiresAt: new Date(now.getTime() + 1) },
    ];
    const { context, saved } = contextWith(undefined, { submissions });
    await createPendingSignup(context, testCaller(), command);
    expect(saved()?.submissions.map(({ codeHash }) => codeHash)).toEqual(['live', 'its-hash']);
  });

  test('that is refused costs no password hash', async () => {
    for (const changes of [{ country: 'XX' }, { email: 'a@mailinator.com' }, { consent: undefined }, { name: '' }]) {
      const { context, work } = contextWith(undefined);
      await expect(createPendingSignup(context, testCaller(), { ...command, ...changes })).rejects.toThrow();
      expect(work).toEqual([]);
    }
  });
});
