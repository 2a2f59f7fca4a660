import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '#platform/ids.ts';
import {
  anonymous,
  type IdentityUnderTest,
  listenForRevocations,
  provisionTestMerchant,
  startIdentity,
} from './testing.ts';

const unauthorized = { kind: 'unauthenticated', code: 'unauthorized' };
const plain = { name: 'Shop', scopes: ['loyalty:read'], fullAccess: false, expiresAt: undefined, sandbox: false };
let identity: IdentityUnderTest;
let merchant: Awaited<ReturnType<typeof provisionTestMerchant>>;
let revocations: Awaited<ReturnType<typeof listenForRevocations>>;

const authenticate = (credential: string | undefined) =>
  identity.client.authenticate({ credential: credential ?? '' }, anonymous);

beforeAll(async () => {
  identity = await startIdentity();
  revocations = await listenForRevocations();
  merchant = await provisionTestMerchant(identity);
});
afterAll(async () => {
  revocations.stop();
  await identity.stop();
});

describe('creating a key', () => {
  test.each(['api_key', 'anonymous', 'operator'] as const)('is not for a caller of kind %s', async (kind) => {
    const caller = { ...merchant.caller, kind };
    const forbidden = { kind: 'forbidden', code: 'forbidden' };
    await expect(identity.client.createKey(plain, caller)).rejects.toMatchObject(forbidden);
    await expect(identity.client.listKeys({}, caller)).rejects.toMatchObject(forbidden);
    await expect(identity.client.deleteKey({ id: newId() }, caller)).rejects.toMatchObject(forbidden);
  });

  test('are listed in windows, newest first, with how many there are', async () => {
    const { caller } = await provisionTestMerchant(identity);
    const plain = { scopes: [], fullAccess: false, expiresAt: undefined, sandbox: false };
    for (const name of ['a', 'b', 'c']) await identity.client.createKey({ ...plain, name }, caller);
    const list = async (page?: { offset: number; limit: number }) => {
      const { keys, total } = await identity.client.listKeys({ ...(page && { page }) }, caller);
      return [keys.map(({ name }) => name).join(''), total];
    };
    expect(await list()).toEqual(['cba', 3n]);
    expect(await list({ offset: 1, limit: 1 })).toEqual(['b', 3n]);
    expect(await list({ offset: 3, limit: 1 })).toEqual(['', 3n]);
  });

  test('names every fault', async () => {
    const broken = {
      name: '',
      scopes: ['loyalty:read', 'everything'],
      fullAccess: false,
      expiresAt: new Date(),
      sandbox: false,
    };
    const error = await identity.client.createKey(broken, merchant.caller).catch((thrown) => thrown);
    expect(error).toMatchObject({ kind: 'unprocessable', code: 'validation_error' });
    const faults = error.details.detail.map(({ loc, type }: { loc: string[]; type: string }) => [loc.join('.'), type]);
    expect(faults).toEqual([
      ['body.name', 'string_too_short'],
      ['body.scopes.1', 'literal_error'],
      ['body.expiresAt', 'value_error'],
    ]);
  });

  test('gives the secret once; only a keyed hash of it is stored', async () => {
    const key = await identity.client.createKey(plain, merchant.caller);
    expect(key.secret).toMatch(/^tc_live_[0-9A-Za-z]{40}$/);
    expect(key.secret?.startsWith(key.prefix)).toBe(true);
    expect(key.prefix).toHaveLength(12);
    const { keys } = await identity.client.listKeys({}, merchant.caller);
    expect(keys[0]).toEqual({ ...key, secret: undefined });
    const rows = await identity.database.connection.collection('api_keys').find().toArray();
    expect(JSON.stringify(rows)).not.toContain(key.secret);
    expect(identity.logLines.join('\n')).not.toContain(key.secret);
  });

  test('stops at 100, also when many come at once', async () => {
    const own = await provisionTestMerchant(identity);
    await identity.client.createKey(plain, own.caller);
    // As if it had made 90: making them all would take long, and show no more.
    const quota = { merchantId: own.user.id, kind: 'api_keys' };
    await identity.database.connection.collection('quotas').updateOne(quota, { $set: { count: 90 } });
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, () => identity.client.createKey(plain, own.caller)),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    for (const result of results) {
      if (result.status === 'rejected') {
        expect(result.reason).toMatchObject({ kind: 'conflict', code: 'key_limit_reached', details: { max: 100 } });
      }
    }
    const { keys } = await identity.client.listKeys({}, own.caller);
    expect(keys).toHaveLength(11);
    await identity.client.deleteKey({ id: keys[0]?.id ?? '' }, own.caller);
    await expect(identity.client.createKey(plain, own.caller)).resolves.toBeDefined();
    await expect(identity.client.createKey(plain, own.caller)).rejects.toMatchObject({ code: 'key_limit_reached' });
  });
});

describe('a hashed key', () => {
  test('stands for its merchant with its scopes', async () => {
    const expiresAt = new Date(Date.now() + 3_600_000);
    const scopes = ['giftcards:redeem', 'loyalty:read', 'loyalty:read'];
    const key = await identity.client.createKey({ ...plain, scopes, fullAccess: true, expiresAt }, merchant.caller);
    expect(await authenticate(key.secret)).toEqual({
      merchantId: merchant.user.id,
      userId: merchant.user.id,
      kind: 'api_key',
      credentialId: key.id,
      scopes: ['loyalty:read', 'giftcards:redeem'],
      fullAccess: true,
      expiresAt,
      frozen: false,
      sandbox: false,
      admin: false,
      metering: { perMinute: 60, perHour: 1_000, perMonth: 10_000n, month: expect.any(String), calls: 0n },
    });
  });

  test('has no scope unless it is given', async () => {
    const key = await identity.client.createKey({ ...plain, scopes: [] }, merchant.caller);
    expect(await authenticate(key.secret)).toMatchObject({ scopes: [], fullAccess: false });
  });

  test('is refused when unknown, though its checksum is right', async () => {
    const rival = await startIdentity();
    try {
      const { caller } = await provisionTestMerchant(rival);
      const { secret } = await rival.client.createKey(plain, caller);
      await expect(authenticate(secret)).rejects.toMatchObject(unauthorized);
    } finally {
      await rival.stop();
    }
  });

  test('is refused with one character changed', async () => {
    const { secret = '' } = await identity.client.createKey(plain, merchant.caller);
    const changed = secret.slice(0, 20) + (secret[20] === 'a' ? 'b' : 'a') + secret.slice(21);
    await expect(authenticate(changed)).rejects.toMatchObject(unauthorized);
  });

  test('is refused once it expired', async () => {
    const own = await startIdentity();
    try {
      const { caller } = await provisionTestMerchant(own);
      const expiresAt = new Date(Date.now() + 60_000);
      const { secret = '' } = await own.client.createKey({ ...plain, expiresAt }, caller);
      await own.client.authenticate({ credential: secret }, anonymous);
      own.advance(60_001);
      await expect(own.client.authenticate({ credential: secret }, anonymous)).rejects.toMatchObject(unauthorized);
    } finally {
      await own.stop();
    }
  });

  test('is refused once it is deleted, and the gateways are told', async () => {
    const key = await identity.client.createKey(plain, merchant.caller);
    await identity.client.deleteKey({ id: key.id }, merchant.caller);
    await expect(authenticate(key.secret)).rejects.toMatchObject(unauthorized);
    await revocations.told(key.id);
    // Whoever repeats it may do so because the first word was lost.
    await expect(identity.client.deleteKey({ id: key.id }, merchant.caller)).rejects.toMatchObject({
      code: 'not_found',
    });
    await revocations.told(key.id, 2);
  });
});

describe('deleting a key', () => {
  test("answers alike for another merchant's id, an unknown id and no id", async () => {
    const rival = await provisionTestMerchant(identity);
    const theirs = await identity.client.createKey(plain, rival.caller);
    const answers = [];
    for (const id of [theirs.id, newId(), 'x', '']) {
      const error = await identity.client.deleteKey({ id }, merchant.caller).catch((thrown) => thrown);
      const { kind, code, message, details } = error;
      answers.push({ kind, code, message, details });
    }
    expect(answers[0]).toMatchObject({ kind: 'not_found', code: 'not_found' });
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    await expect(authenticate(theirs.secret)).resolves.toMatchObject({ credentialId: theirs.id });
  });

  test('lists and limits are the merchant’s own', async () => {
    const rival = await provisionTestMerchant(identity);
    await identity.client.createKey(plain, merchant.caller);
    expect(await identity.client.listKeys({}, rival.caller)).toEqual({ keys: [], total: 0n });
  });

  test('works while Redis is down', async () => {
    const own = await startIdentity({ redisUrl: 'redis://127.0.0.1:1' });
    try {
      const { caller } = await provisionTestMerchant(own);
      const key = await own.client.createKey(plain, caller);
      await own.client.deleteKey({ id: key.id }, caller);
      const after = own.client.authenticate({ credential: key.secret ?? '' }, anonymous);
      await expect(after).rejects.toMatchObject(unauthorized);
      expect(own.logLines.join('\n')).toContain('a revocation is not published yet');
      expect(own.logLines.join('\n')).not.toContain(key.secret);
    } finally {
      await own.stop();
    }
    expect(own.logLines.join('\n')).toContain('revocations were never published');
  });
});
