import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '#platform/ids.ts';
import { testCaller } from '#platform/testing.ts';
import { anonymous, type IdentityUnderTest, operator, provisionTestMerchant, startIdentity } from './testing.ts';

let identity: IdentityUnderTest;

beforeAll(async () => {
  identity = await startIdentity();
});
afterAll(() => identity.stop());

function newMerchant() {
  const email = `${randomBytes(4).toString('hex')}@example.com`;
  return { email, password: 'correct horse battery', name: 'Owner', company: 'Shop Ltd' };
}

describe('provisioning a merchant', () => {
  test.each(['user', 'app_key', 'api_key', 'anonymous'] as const)('is not for a caller of kind %s', async (kind) => {
    const caller = testCaller({ kind, merchantId: newId(), userId: newId() });
    const attempt = identity.client.provisionMerchant(newMerchant(), caller);
    await expect(attempt).rejects.toMatchObject({ kind: 'forbidden', code: 'forbidden' });
  });

  test('names every fault and echoes no password', async () => {
    const broken = { email: 'nobody', password: 'short12', name: '', company: 'x'.repeat(201) };
    const error = await identity.client.provisionMerchant(broken, operator).catch((thrown) => thrown);
    expect(error).toMatchObject({ kind: 'unprocessable', code: 'validation_error' });
    expect(error.details.detail.map(({ loc }: { loc: string[] }) => loc[1])).toEqual([
      'email',
      'password',
      'name',
      'company',
    ]);
    expect(JSON.stringify(error.details)).not.toContain('short12');
  });

  test('refuses a taken e-mail with another password, in any case', async () => {
    const merchant = newMerchant();
    await identity.client.provisionMerchant(merchant, operator);
    const other = { ...merchant, email: merchant.email.toUpperCase(), password: 'another password' };
    const attempt = identity.client.provisionMerchant(other, operator);
    await expect(attempt).rejects.toMatchObject({ kind: 'conflict', code: 'email_taken' });
  });

  test('gives the same user again for the same e-mail and password', async () => {
    const merchant = newMerchant();
    const first = await identity.client.provisionMerchant(merchant, operator);
    expect(await identity.client.provisionMerchant(merchant, operator)).toEqual(first);
    expect(first).toMatchObject({ email: merchant.email, name: 'Owner', active: true, admin: false });
    expect(first.emailVerified).toBeInstanceOf(Date);
  });

  test('makes one user when it is sent many times at once', async () => {
    const merchant = newMerchant();
    const users = await Promise.all(
      Array.from({ length: 6 }, () => identity.client.provisionMerchant(merchant, operator)),
    );
    expect(new Set(users.map(({ id }) => id)).size).toBe(1);
    const { email } = merchant;
    expect(await identity.database.connection.collection('users').countDocuments({ email })).toBe(1);
  });
});

describe('the audit log tells of', () => {
  const actionsOf = async (subjectId: string) =>
    identity.database.connection
      .collection('audit_logs')
      .find({ subjectId }, { sort: { _id: 1 } })
      .map(({ action, actorType, merchantId }) => [action, actorType, String(merchantId)])
      .toArray();

  test('a user who was made, once, and of becoming an administrator', async () => {
    const merchant = newMerchant();
    const { id } = await identity.client.provisionMerchant(merchant, operator);
    const created = ['user_created', 'operator', id];
    await identity.client.provisionMerchant(merchant, operator);
    await identity.client.provisionMerchant({ ...merchant, password: 'another password' }, operator).catch(() => {});
    expect(await actionsOf(id)).toEqual([created]);
    for (let round = 0; round < 2; round += 1) {
      await identity.client.provisionMerchant({ ...merchant, admin: true }, operator);
    }
    const granted = ['admin_granted', 'operator', id];
    expect(await actionsOf(id)).toEqual([created, granted]);
    const born = await identity.client.provisionMerchant({ ...newMerchant(), admin: true }, operator);
    expect((await actionsOf(born.id)).map(([action]) => action)).toEqual(['user_created', 'admin_granted']);
  });
});

describe("the caller's user", () => {
  test.each([anonymous, operator])('is not for a caller without one', async (caller) => {
    await expect(identity.client.getUser({}, caller)).rejects.toMatchObject({ kind: 'forbidden', code: 'forbidden' });
  });

  test('is refused when the user is gone or inactive', async () => {
    const unauthorized = { kind: 'unauthenticated', code: 'unauthorized' };
    const gone = testCaller({ kind: 'user', merchantId: newId(), userId: newId() });
    await expect(identity.client.getUser({}, gone)).rejects.toMatchObject(unauthorized);
    const { caller, email } = await provisionTestMerchant(identity);
    await identity.database.connection.collection('users').updateOne({ email }, { $set: { active: false } });
    await expect(identity.client.getUser({}, caller)).rejects.toMatchObject(unauthorized);
  });

  test.each(['user', 'app_key', 'api_key'] as const)('is answered to a caller of kind %s', async (kind) => {
    const { caller, user } = await provisionTestMerchant(identity);
    expect(await identity.client.getUser({}, { ...caller, kind })).toEqual(user);
  });
});
