import { describe, expect, test } from '@jest/globals';
import { type ApiKey, composeApiKey } from './api-key.ts';
import { authenticate } from './authenticate.ts';
import { usualPlan } from './plan.ts';
import type { User } from './user.ts';

type Context = Parameters<typeof authenticate>[0];

const now = new Date('2030-01-01T00:00:00Z');
const secret = composeApiKey('x'.repeat(34), 'live');
const user = { id: 'u', merchantId: 'm', active: true } as User;
const key: ApiKey = {
  id: 'k',
  merchantId: 'm',
  userId: 'u',
  name: 'Shop',
  prefix: 'tc_live_xxxx',
  scopes: ['loyalty:read'],
  fullAccess: false,
  createdAt: now,
};

/** One API key, and a count of what was asked of the stores and the token verifier. */
function contextWith(found: Partial<ApiKey>, isPrevious = false) {
  const asked: string[] = [];
  const context = {
    now: () => now,
    users: { get: async () => user },
    apiKeys: {
      async findByHash(hash: string) {
        asked.push(hash);
        return { key: { ...key, ...found }, isPrevious };
      },
    },
    plans: { get: async () => usualPlan('m') },
    planDefaults: { freePerMonth: 10_000, perMinute: 60, perHour: 1_000 },
    usage: { calls: async (_merchant: string, _key: string, month: string) => (month === '2030-01' ? 7 : 0) },
    tokens: {
      async verify() {
        asked.push('token');
        return undefined;
      },
    },
    secrets: { hashApiKey: () => 'the hash' },
  } as unknown as Context;
  return { context, asked };
}

const unauthorized = { kind: 'unauthenticated', code: 'unauthorized' };

describe('a hashed key', () => {
  test('with a wrong checksum is refused without a look-up', async () => {
    const { context, asked } = contextWith({});
    const wrong = `${secret.slice(0, -1)}${secret.endsWith('0') ? '1' : '0'}`;
    await expect(authenticate(context, wrong)).rejects.toMatchObject(unauthorized);
    expect(asked).toEqual([]);
    await expect(authenticate(context, secret)).resolves.toMatchObject({ kind: 'api_key', credentialId: 'k' });
    expect(asked).toEqual(['the hash']);
  });

  test('works until the moment it expires', async () => {
    const later = contextWith({ expiresAt: new Date(now.getTime() + 1) });
    await expect(authenticate(later.context, secret)).resolves.toMatchObject({ merchantId: 'm' });
    const expired = contextWith({ expiresAt: now });
    await expect(authenticate(expired.context, secret)).rejects.toMatchObject(unauthorized);
  });

  test('works by its previous secret until the grace period ends, or the key itself', async () => {
    const soon = new Date(now.getTime() + 1);
    const later = new Date(now.getTime() + 2);
    for (const [previousExpiresAt, expiresAt] of [
      [soon, later],
      [later, soon],
      [soon, undefined],
    ]) {
      const { context } = contextWith({ previousExpiresAt, expiresAt }, true);
      await expect(authenticate(context, secret)).resolves.toMatchObject({ expiresAt: soon });
    }
    const over = contextWith({ previousExpiresAt: now }, true);
    await expect(authenticate(over.context, secret)).rejects.toMatchObject(unauthorized);
    const newest = contextWith({ previousExpiresAt: now });
    await expect(authenticate(newest.context, secret)).resolves.toMatchObject({ expiresAt: undefined });
  });

  test('brings its limits and its calls of the UTC month', async () => {
    const { context } = contextWith({});
    const metering = { perMinute: 60, perHour: 1_000, perMonth: 10_000, month: '2030-01', calls: 7 };
    await expect(authenticate(context, secret)).resolves.toMatchObject({ metering, frozen: false, sandbox: false });
    const before = { ...context, now: () => new Date('2029-12-31T23:59:59.999Z') } as Context;
    const ofDecember = { ...metering, month: '2029-12', calls: 0 };
    await expect(authenticate(before, secret)).resolves.toMatchObject({ metering: ofDecember });
  });

  test('of the sandbox stands for the twin, and a frozen one is told, not refused', async () => {
    const { context } = contextWith({ sandboxId: 's', frozenAt: now });
    const expected = { merchantId: 's', userId: 'u', sandbox: true, frozen: true };
    await expect(authenticate(context, secret)).resolves.toMatchObject(expected);
  });

  test.each([
    ['is gone', undefined],
    ['is inactive', { ...user, active: false }],
  ])('is refused when its user %s', async (_what, holder) => {
    const { context } = contextWith({});
    const without = { ...context, users: { get: async () => holder } } as unknown as Context;
    await expect(authenticate(without, secret)).rejects.toMatchObject(unauthorized);
  });
});

test('a text too long to be a credential is refused unread', async () => {
  const { context, asked } = contextWith({});
  await expect(authenticate(context, 'x'.repeat(4097))).rejects.toMatchObject(unauthorized);
  expect(asked).toEqual([]);
});
