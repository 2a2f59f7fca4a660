import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { TokenPair } from '#proto/identity/v1/identity.ts';
import {
  anonymous,
  type IdentityUnderTest,
  listenForRevocations,
  provisionTestMerchant,
  startIdentity,
} from './testing.ts';

const invalidGrant = { kind: 'unauthenticated', code: 'invalid_grant' };
const dayMs = 24 * 3600 * 1000;
let identity: IdentityUnderTest;
let merchant: Awaited<ReturnType<typeof provisionTestMerchant>>;
let pair: TokenPair;
let revocations: Awaited<ReturnType<typeof listenForRevocations>>;

const refresh = (refreshToken: string) => identity.client.refreshToken({ refreshToken }, anonymous);
const authenticate = (credential: string) => identity.client.authenticate({ credential }, anonymous);

beforeAll(async () => {
  identity = await startIdentity();
  revocations = await listenForRevocations();
  merchant = await provisionTestMerchant(identity);
});
beforeEach(async () => {
  const { email, password } = merchant;
  pair = await identity.client.logIn({ email, password }, anonymous);
});
afterAll(async () => {
  revocations.stop();
  await identity.stop();
});

describe('refreshing', () => {
  test('refuses an unknown token', async () => {
    await expect(refresh('unknown')).rejects.toMatchObject(invalidGrant);
  });

  test('refuses an access token', async () => {
    await expect(refresh(pair.accessToken)).rejects.toMatchObject(invalidGrant);
  });

  test('ends the whole family when an old token comes again', async () => {
    const second = await refresh(pair.refreshToken);
    await expect(authenticate(second.accessToken)).resolves.toMatchObject({ kind: 'user' });
    await expect(refresh(pair.refreshToken)).rejects.toMatchObject(invalidGrant);
    await expect(refresh(second.refreshToken)).rejects.toMatchObject(invalidGrant);
    await expect(authenticate(second.accessToken)).rejects.toMatchObject({ code: 'unauthorized' });
    await expect(authenticate(pair.accessToken)).rejects.toMatchObject({ code: 'unauthorized' });
  });

  test('leaves the other sessions of the user alone when one ends', async () => {
    const { email, password } = merchant;
    const other = await identity.client.logIn({ email, password }, anonymous);
    await refresh(pair.refreshToken);
    await expect(refresh(pair.refreshToken)).rejects.toMatchObject(invalidGrant);
    await expect(refresh(other.refreshToken)).resolves.toMatchObject({ expiresInSeconds: 900 });
  });

  test('tells the gateways which session ended', async () => {
    const { credentialId } = await authenticate(pair.accessToken);
    await refresh(pair.refreshToken);
    await expect(refresh(pair.refreshToken)).rejects.toMatchObject(invalidGrant);
    await revocations.told(credentialId);
  });

  test('refuses the tokens of a user who was made inactive', async () => {
    const other = await provisionTestMerchant(identity);
    const { email, password } = other;
    const { refreshToken, accessToken } = await identity.client.logIn({ email, password }, anonymous);
    await identity.database.connection.collection('users').updateOne({ email }, { $set: { active: false } });
    await expect(refresh(refreshToken)).rejects.toMatchObject(invalidGrant);
    await expect(authenticate(accessToken)).rejects.toMatchObject({ code: 'unauthorized' });
  });

  test('rotates: each token gives the next one', async () => {
    const second = await refresh(pair.refreshToken);
    const third = await refresh(second.refreshToken);
    expect(new Set([pair.refreshToken, second.refreshToken, third.refreshToken]).size).toBe(3);
    await expect(authenticate(third.accessToken)).resolves.toMatchObject({ userId: merchant.user.id });
  });
});

describe('races', () => {
  test('one token used 20 times at once gives one pair and ends the family', async () => {
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => refresh(pair.refreshToken)));
    const given = results.filter((result) => result.status === 'fulfilled');
    expect(given).toHaveLength(1);
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject(invalidGrant);
    }
    const next = given[0]?.value as TokenPair;
    await expect(refresh(next.refreshToken)).rejects.toMatchObject(invalidGrant);
    await expect(authenticate(next.accessToken)).rejects.toMatchObject({ code: 'unauthorized' });
  });
});

describe('time', () => {
  test('a token is refused 30 days after it was made, and each rotation starts anew', async () => {
    const own = await startIdentity();
    try {
      const { email, password } = await provisionTestMerchant(own);
      const first = await own.client.logIn({ email, password }, anonymous);
      own.advance(29 * dayMs);
      const second = await own.client.refreshToken({ refreshToken: first.refreshToken }, anonymous);
      own.advance(29 * dayMs);
      const third = await own.client.refreshToken({ refreshToken: second.refreshToken }, anonymous);
      own.advance(30 * dayMs);
      const late = own.client.refreshToken({ refreshToken: third.refreshToken }, anonymous);
      await expect(late).rejects.toMatchObject(invalidGrant);
    } finally {
      await own.stop();
    }
  });
});
