import { createHmac, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose';
import { newId } from '#platform/ids.ts';
import { anonymous, type IdentityUnderTest, provisionTestMerchant, startIdentity } from './testing.ts';

const unauthorized = { kind: 'unauthenticated', code: 'unauthorized' };
let identity: IdentityUnderTest;
let merchant: Awaited<ReturnType<typeof provisionTestMerchant>>;
let accessToken: string;
let appToken: string;

const authenticate = (credential: string) => identity.client.authenticate({ credential }, anonymous);
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

beforeAll(async () => {
  identity = await startIdentity();
  merchant = await provisionTestMerchant(identity);
  const { email, password, caller } = merchant;
  ({ accessToken } = await identity.client.logIn({ email, password }, anonymous));
  const appKey = await identity.client.createAppKey({ name: 'Till' }, caller);
  appToken = appKey.token ?? '';
});
afterAll(() => identity.stop());

/** As in a token that we signed. */
const kid = () => decodeProtectedHeader(accessToken).kid ?? '';

/** The good access token's claims with some changed, signed with `key`. */
function forge(changes: Record<string, unknown>, key: KeyObject = identity.config.jwtPrivateKey): Promise<string> {
  const claims = { ...decodeJwt(accessToken), ...changes };
  return new SignJWT(claims).setProtectedHeader({ alg: 'EdDSA', typ: 'JWT', kid: kid() }).sign(key);
}

describe('an access token is refused', () => {
  test.each([
    ['another issuer', { iss: 'somebody' }],
    ['another audience', { aud: 'another-api' }],
    ['no expiry', { exp: undefined }],
    ['a past expiry', { exp: Math.floor(Date.now() / 1000) - 1 }],
    ['an unknown type', { typ: 'refresh' }],
    ['no type', { typ: undefined }],
    ['the type of an app key', { typ: 'app' }],
    ['no session', { sid: undefined }],
    ['an unknown session', { sid: newId() }],
    ['a session that is no id', { sid: 'x' }],
    ['an unknown user', { sub: newId() }],
    ['no user', { sub: undefined }],
  ])('with %s', async (_what, changes) => {
    await expect(authenticate(await forge(changes))).rejects.toMatchObject(unauthorized);
  });

  test('though forging with nothing changed gives a good one', async () => {
    await expect(authenticate(await forge({}))).resolves.toMatchObject({ kind: 'user' });
  });

  test("with another user's session", async () => {
    const rival = await provisionTestMerchant(identity);
    await expect(authenticate(await forge({ sub: rival.user.id }))).rejects.toMatchObject(unauthorized);
  });

  test('when signed with another key', async () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    await expect(authenticate(await forge({}, privateKey))).rejects.toMatchObject(unauthorized);
  });

  test('when unsigned (alg none)', async () => {
    const token = `${encode({ alg: 'none', typ: 'JWT' })}.${accessToken.split('.')[1]}.`;
    await expect(authenticate(token)).rejects.toMatchObject(unauthorized);
  });

  test('when signed by HMAC with the public key as its secret', async () => {
    const publicKey = createPublicKey(identity.config.jwtPrivateKey);
    const body = `${encode({ alg: 'HS256', typ: 'JWT' })}.${accessToken.split('.')[1]}`;
    for (const secret of [
      publicKey.export({ format: 'pem', type: 'spki' }),
      publicKey.export({ format: 'der', type: 'spki' }),
    ]) {
      const token = `${body}.${createHmac('sha256', secret).update(body).digest('base64url')}`;
      await expect(authenticate(token)).rejects.toMatchObject(unauthorized);
    }
  });

  test('when signed with another algorithm', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const token = await new SignJWT(decodeJwt(accessToken))
      .setProtectedHeader({ alg: 'ES256', typ: 'JWT', kid: kid() })
      .sign(privateKey);
    await expect(authenticate(token)).rejects.toMatchObject(unauthorized);
  });

  test('when altered', async () => {
    const [header, , signature] = accessToken.split('.');
    const token = `${header}.${encode({ ...decodeJwt(accessToken), admin: true })}.${signature}`;
    await expect(authenticate(token)).rejects.toMatchObject(unauthorized);
  });

  test('after 15 minutes', async () => {
    const own = await startIdentity();
    try {
      const { email, password } = await provisionTestMerchant(own);
      const pair = await own.client.logIn({ email, password }, anonymous);
      await own.client.authenticate({ credential: pair.accessToken }, anonymous);
      own.advance(15 * 60 * 1000);
      const late = own.client.authenticate({ credential: pair.accessToken }, anonymous);
      await expect(late).rejects.toMatchObject(unauthorized);
    } finally {
      await own.stop();
    }
  });
});

describe('an app key is refused', () => {
  test.each([
    ['an unknown id', { jti: newId() }],
    ['no id', { jti: undefined }],
    ['another user', { sub: newId() }],
    ['another audience', { aud: 'another-api' }],
  ])('with %s', async (_what, changes) => {
    const claims = { ...decodeJwt(appToken), ...changes };
    const token = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'EdDSA', typ: 'JWT', kid: kid() })
      .sign(identity.config.jwtPrivateKey);
    await expect(authenticate(token)).rejects.toMatchObject(unauthorized);
  });

  test("with a rival's id", async () => {
    const rival = await provisionTestMerchant(identity);
    const claims = { ...decodeJwt(appToken), sub: rival.user.id };
    const token = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'EdDSA', typ: 'JWT', kid: kid() })
      .sign(identity.config.jwtPrivateKey);
    await expect(authenticate(token)).rejects.toMatchObject(unauthorized);
  });
});

describe('anything else is refused', () => {
  test.each([
    ['nothing', ''],
    ['a word', 'secret'],
    ['two dots', 'a.b.c'],
    ['a key of the sandbox', `tc_test_${'0'.repeat(40)}`],
    ['a very long text', `tc_live_${'0'.repeat(100_000)}`],
  ])('%s', async (_what, credential) => {
    await expect(authenticate(credential)).rejects.toMatchObject(unauthorized);
  });
});

describe('every credential of an inactive user is refused', () => {
  test('of any kind', async () => {
    const { email, password, caller } = await provisionTestMerchant(identity);
    const pair = await identity.client.logIn({ email, password }, anonymous);
    const appKey = await identity.client.createAppKey({ name: 'Till' }, caller);
    const key = await identity.client.createKey(
      { name: 'Shop', scopes: [], fullAccess: true, expiresAt: undefined, sandbox: false },
      caller,
    );
    const credentials = [pair.accessToken, appKey.token ?? '', key.secret ?? ''];
    const kinds = await Promise.all(credentials.map(authenticate));
    expect(kinds.map(({ kind }) => kind)).toEqual(['user', 'app_key', 'api_key']);
    await identity.database.connection.collection('users').updateOne({ email }, { $set: { active: false } });
    for (const credential of credentials) await expect(authenticate(credential)).rejects.toMatchObject(unauthorized);
  });
});
