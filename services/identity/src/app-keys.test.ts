import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import { newId } from '#platform/ids.ts';
import {
  anonymous,
  type IdentityUnderTest,
  listenForRevocations,
  provisionTestMerchant,
  startIdentity,
} from './testing.ts';

const yearMs = 365 * 24 * 3600 * 1000;
let identity: IdentityUnderTest;
let merchant: Awaited<ReturnType<typeof provisionTestMerchant>>;

beforeAll(async () => {
  identity = await startIdentity();
  merchant = await provisionTestMerchant(identity);
});
afterAll(() => identity.stop());

describe('app keys', () => {
  test.each(['api_key', 'anonymous', 'operator'] as const)('are not for a caller of kind %s', async (kind) => {
    const caller = { ...merchant.caller, kind };
    const forbidden = { kind: 'forbidden', code: 'forbidden' };
    await expect(identity.client.createAppKey({ name: 'Till' }, caller)).rejects.toMatchObject(forbidden);
    await expect(identity.client.listAppKeys({}, caller)).rejects.toMatchObject(forbidden);
    await expect(identity.client.deleteAppKey({ id: newId() }, caller)).rejects.toMatchObject(forbidden);
  });

  test('are listed in windows, newest first, with how many there are', async () => {
    const { caller } = await provisionTestMerchant(identity);
    for (const name of ['a', 'b', 'c']) await identity.client.createAppKey({ name }, caller);
    const list = async (page?: { offset: number; limit: number }) => {
      const { appKeys, total } = await identity.client.listAppKeys({ ...(page && { page }) }, caller);
      return [appKeys.map(({ name }) => name).join(''), total];
    };
    expect(await list()).toEqual(['cba', 3n]);
    expect(await list({ offset: 1, limit: 1 })).toEqual(['b', 3n]);
    expect(await list({ offset: 0, limit: 0 })).toEqual(['cba', 3n]);
    expect(await list({ offset: 3, limit: 1 })).toEqual(['', 3n]);
    expect(await list({ offset: -1, limit: 1_000 })).toEqual(['cba', 3n]);
  });

  test.each([
    ['', 'string_too_short'],
    ['x'.repeat(256), 'string_too_long'],
  ])('have a name of 1 to 255 characters', async (name, type) => {
    const attempt = identity.client.createAppKey({ name }, merchant.caller);
    const detail = [expect.objectContaining({ loc: ['body', 'name'], type })];
    await expect(attempt).rejects.toMatchObject({
      kind: 'unprocessable',
      code: 'validation_error',
      details: { detail },
    });
  });

  test("another merchant's id, an unknown id and no id answer alike", async () => {
    const rival = await provisionTestMerchant(identity);
    const theirs = await identity.client.createAppKey({ name: 'Till' }, rival.caller);
    const answers = [];
    for (const id of [theirs.id, newId(), 'x', '']) {
      const error = await identity.client.deleteAppKey({ id }, merchant.caller).catch((thrown) => thrown);
      const { kind, code, message, details } = error;
      answers.push({ kind, code, message, details });
    }
    expect(answers[0]).toMatchObject({ kind: 'not_found', code: 'not_found' });
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    await expect(identity.client.authenticate({ credential: theirs.token ?? '' }, anonymous)).resolves.toBeDefined();
  });

  test('are JWTs without expiry that work until they are deleted', async () => {
    const own = await startIdentity();
    try {
      const { caller, user } = await provisionTestMerchant(own);
      const { id, token = '' } = await own.client.createAppKey({ name: 'Till' }, caller);
      expect(decodeJwt(token)).toMatchObject({ typ: 'app', jti: id, sub: user.id });
      expect(decodeJwt(token).exp).toBeUndefined();
      own.advance(10 * yearMs);
      const principal = await own.client.authenticate({ credential: token }, anonymous);
      expect(principal).toMatchObject({ merchantId: user.id, userId: user.id, kind: 'app_key', credentialId: id });
      expect(principal.expiresAt).toBeUndefined();
      await own.client.deleteAppKey({ id }, caller);
      const gone = own.client.authenticate({ credential: token }, anonymous);
      await expect(gone).rejects.toMatchObject({ kind: 'unauthenticated', code: 'unauthorized' });
      await expect(own.client.deleteAppKey({ id }, caller)).rejects.toMatchObject({ code: 'not_found' });
    } finally {
      await own.stop();
    }
  });

  test('are told of when they are deleted, and again when the deletion is repeated', async () => {
    const revocations = await listenForRevocations();
    try {
      const { id } = await identity.client.createAppKey({ name: 'Till' }, merchant.caller);
      await identity.client.deleteAppKey({ id }, merchant.caller);
      await revocations.told(id);
      // Whoever repeats it may do so because the first word was lost.
      const again = identity.client.deleteAppKey({ id }, merchant.caller);
      await expect(again).rejects.toMatchObject({ code: 'not_found' });
      await revocations.told(id, 2);
    } finally {
      revocations.stop();
    }
  });

  test('are listed newest first, without the token, for their merchant only', async () => {
    const own = await provisionTestMerchant(identity);
    const first = await identity.client.createAppKey({ name: 'First' }, own.caller);
    const second = await identity.client.createAppKey({ name: 'Second' }, { ...own.caller, kind: 'app_key' });
    const { appKeys } = await identity.client.listAppKeys({}, own.caller);
    expect(appKeys.map(({ id }) => id)).toEqual([second.id, first.id]);
    expect(appKeys.map(({ token }) => token)).toEqual([undefined, undefined]);
  });
});
