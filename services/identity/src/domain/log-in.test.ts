import { describe, expect, test } from '@jest/globals';
import { testCaller } from '#platform/testing.ts';
import { logIn } from './log-in.ts';
import type { IdentityContext } from './ports.ts';
import type { User } from './user.ts';

const user: User = {
  id: 'a'.repeat(24),
  merchantId: 'a'.repeat(24),
  email: 'ada@example.com',
  active: true,
  admin: false,
  createdAt: new Date(0),
};

const caller = testCaller();

type Context = Parameters<typeof logIn>[0];

/** One user whose derived password is `right`; `work` records what the hasher was asked to do. */
function contextWith(found: User | undefined) {
  const work: string[] = [];
  const context: Context = {
    now: () => new Date(0),
    mfa: { get: async () => undefined } as unknown as IdentityContext['mfa'],
    mfaTries: {} as IdentityContext['mfaTries'],
    totp: {} as IdentityContext['totp'],
    audit: {
      record: async (_caller, { action }) => void work.push(`write ${action}`),
      recordOfNobody: async (_caller, { action }) => void work.push(`write ${action}`),
    },
    transaction: (inside) => inside(),
    users: {
      findByEmail: async () => found && { user: found, storedPassword: 'stored' },
      claim: async () => true,
    } as unknown as IdentityContext['users'],
    sessions: { insert: async () => undefined } as unknown as IdentityContext['sessions'],
    tokens: { signAccess: async () => 'token' } as unknown as IdentityContext['tokens'],
    secrets: { newRefreshToken: () => ({ token: 'r', hash: 'h' }) } as unknown as IdentityContext['secrets'],
    passwords: {
      async derive(password, email) {
        work.push(`derive with ${email}`);
        return password;
      },
      hash: async (passwordHash) => passwordHash,
      async verify(passwordHash, stored) {
        work.push('verify');
        return stored !== undefined && passwordHash === 'right';
      },
    },
  };
  return { context, work };
}

const invalidGrant = { kind: 'unauthenticated', code: 'invalid_grant' };

describe('logging in', () => {
  test.each([
    ['an unknown e-mail', undefined, 'right'],
    ['a wrong password', user, 'wrong'],
    ['an inactive user', { ...user, active: false }, 'right'],
  ])('does the same slow work for %s as for a right password', async (_what, found, password) => {
    const good = contextWith(user);
    await logIn(good.context, caller, { email: user.email, password: 'right' });
    const bad = contextWith(found);
    await expect(logIn(bad.context, caller, { email: user.email, password })).rejects.toMatchObject(invalidGrant);
    // One entry is written, for an e-mail that nobody has too: else its answer would come sooner.
    expect(bad.work).toEqual(['derive with ada@example.com', 'verify', 'write login_failed']);
    expect(good.work).toEqual(['derive with ada@example.com', 'verify', 'write login_succeeded']);
  });

  test('asks for a code when MFA was turned on after it had looked', async () => {
    const { context, work } = contextWith(user);
    let looks = 0;
    const get = async () => {
      looks += 1;
      return looks === 1 ? undefined : { enabledAt: new Date(0) };
    };
    const mfa = { get } as unknown as IdentityContext['mfa'];
    const attempt = logIn({ ...context, mfa }, caller, { email: user.email, password: 'right' });
    await expect(attempt).rejects.toMatchObject({ code: 'mfa_required' });
    expect(work).not.toContain('write login_succeeded');
  });

  test('opens no session of a user who was made inactive after it had looked', async () => {
    const { context, work } = contextWith(user);
    const users = { ...context.users, claim: async () => false };
    const attempt = logIn({ ...context, users }, caller, { email: user.email, password: 'right' });
    await expect(attempt).rejects.toMatchObject(invalidGrant);
    expect(work).not.toContain('write login_succeeded');
  });

  test('a password too long to be anyone’s costs no more than another', async () => {
    let derived = '';
    const { context } = contextWith(user);
    const passwords = { ...context.passwords, derive: async (password: string) => (derived = password) };
    const attempt = logIn({ ...context, passwords }, caller, { email: user.email, password: 'x'.repeat(1_000_000) });
    await expect(attempt).rejects.toMatchObject(invalidGrant);
    expect(derived).toHaveLength(1025);
  });

  test('prefers what the client derived to the password in clear', async () => {
    const { context, work } = contextWith(user);
    await logIn(context, caller, { email: user.email, passwordHash: 'right', password: 'wrong' });
    expect(work).toEqual(['verify', 'write login_succeeded']);
  });
});
