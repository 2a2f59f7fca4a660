import { createPublicKey, pbkdf2Sync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { calculateJwkThumbprint, decodeJwt, decodeProtectedHeader } from 'jose';
import { anonymous, type IdentityUnderTest, provisionTestMerchant, startIdentity } from './testing.ts';

const invalidGrant = { kind: 'unauthenticated', code: 'invalid_grant' };
let identity: IdentityUnderTest;
let merchant: Awaited<ReturnType<typeof provisionTestMerchant>>;

beforeAll(async () => {
  identity = await startIdentity();
  merchant = await provisionTestMerchant(identity);
});
afterAll(() => identity.stop());

describe('logging in', () => {
  test('refuses a wrong password', async () => {
    const { email } = merchant;
    const attempt = identity.client.logIn({ email, password: 'not the password' }, anonymous);
    await expect(attempt).rejects.toMatchObject(invalidGrant);
  });

  test('refuses an unknown e-mail with the same answer as a wrong password', async () => {
    const { email } = merchant;
    const wrong = await identity.client
      .logIn({ email, password: 'not the password' }, anonymous)
      .catch((error) => error);
    const unknown = await identity.client
      .logIn({ email: 'nobody@example.com', password: 'not the password' }, anonymous)
      .catch((error) => error);
    const told = ({ kind, code, message, details }: Record<string, unknown>) => ({ kind, code, message, details });
    expect(told(unknown)).toEqual(told(wrong));
    expect(unknown).toMatchObject(invalidGrant);
  });

  test('refuses an inactive user though the password is right', async () => {
    const { user, email, password } = await provisionTestMerchant(identity);
    await identity.database.connection.collection('users').updateOne({ email }, { $set: { active: false } });
    await expect(identity.client.logIn({ email, password }, anonymous)).rejects.toMatchObject(invalidGrant);
    expect(user.active).toBe(true);
  });

  test('refuses the stored hash as a password hash', async () => {
    const { email } = merchant;
    const row = await identity.database.connection.collection('users').findOne({ email });
    const passwordHash = row?.storedPassword as string;
    expect(passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    await expect(identity.client.logIn({ email, passwordHash }, anonymous)).rejects.toMatchObject(invalidGrant);
  });

  test('asks for a password', async () => {
    const attempt = identity.client.logIn({ email: merchant.email }, anonymous);
    await expect(attempt).rejects.toMatchObject({ kind: 'unprocessable', code: 'validation_error' });
  });

  test('takes what a client derived, with the lowercase e-mail as salt', async () => {
    const { email, password } = merchant;
    const passwordHash = pbkdf2Sync(password, email, 600_000, 32, 'sha256').toString('base64');
    const pair = await identity.client.logIn({ email: email.toUpperCase(), passwordHash }, anonymous);
    expect(pair.refreshToken).not.toBe('');
  });

  test('gives a signed access token of 15 minutes for the session', async () => {
    const { user, email, password } = merchant;
    const pair = await identity.client.logIn({ email, password }, anonymous);
    expect(pair.expiresInSeconds).toBe(900);
    const kid = await calculateJwkThumbprint(createPublicKey(identity.config.jwtPrivateKey));
    expect(decodeProtectedHeader(pair.accessToken)).toEqual({ alg: 'EdDSA', typ: 'JWT', kid });
    const claims = decodeJwt(pair.accessToken);
    expect(claims).toMatchObject({ iss: 'tallycard', aud: 'tallycard-api', sub: user.id, typ: 'access' });
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(900);

    const principal = await identity.client.authenticate({ credential: pair.accessToken }, anonymous);
    expect(principal).toMatchObject({ merchantId: user.id, userId: user.id, kind: 'user', credentialId: claims.sid });
    expect(principal.expiresAt?.getTime()).toBe((claims.exp ?? 0) * 1000);
  });

  test('logs and stores no secret', async () => {
    const { email, password } = merchant;
    const pair = await identity.client.logIn({ email, password }, anonymous);
    const { connection } = identity.database;
    const stored = await Promise.all(
      ['users', 'sessions', 'refresh_tokens'].map((name) => connection.collection(name).find().toArray()),
    );
    for (const secret of [password, pair.refreshToken, pair.accessToken]) {
      expect(JSON.stringify(stored)).not.toContain(secret);
      expect(identity.logLines.join('\n')).not.toContain(secret);
    }
  });
});
