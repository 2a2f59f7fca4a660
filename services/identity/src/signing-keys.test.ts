import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify, SignJWT } from 'jose';
import { createTokenSigner } from './crypto/token-signer.ts';
import { anonymous, type IdentityUnderTest, provisionTestMerchant, startIdentity } from './testing.ts';

const unauthorized = { kind: 'unauthenticated', code: 'unauthorized' };
const former = generateKeyPairSync('ed25519');
let identity: IdentityUnderTest;
let merchant: Awaited<ReturnType<typeof provisionTestMerchant>>;
let appToken: string;

beforeAll(async () => {
  identity = await startIdentity({ jwtFormerPublicKeys: [former.publicKey] });
  merchant = await provisionTestMerchant(identity);
  appToken = (await identity.client.createAppKey({ name: 'Till' }, merchant.caller)).token ?? '';
});
afterAll(() => identity.stop());

const authenticate = (credential: string) => identity.client.authenticate({ credential }, anonymous);
const claims = () => decodeJwt(appToken);

test('a token that an earlier key signed goes on to work', async () => {
  const { jti = '', sub = '' } = claims();
  const token = await createTokenSigner(former.privateKey).signApp({ userId: sub, appKeyId: jti }, new Date());
  expect(decodeProtectedHeader(token).kid).not.toBe(decodeProtectedHeader(appToken).kid);
  expect(await authenticate(token)).toMatchObject({ kind: 'app_key', credentialId: jti });
});

test.each([
  ['without a kid', undefined],
  ['with the kid of another key', 'former'],
  ['with a made-up kid', 'made-up'],
])('a token %s is refused though its signature is good', async (_what, named) => {
  const [, other] = createTokenSigner(identity.config.jwtPrivateKey, [former.publicKey]).publicKeys();
  const kid = named === 'former' ? other?.kid : named;
  const header = { alg: 'EdDSA', typ: 'JWT', ...(kid !== undefined && { kid }) };
  const token = await new SignJWT(claims()).setProtectedHeader(header).sign(identity.config.jwtPrivateKey);
  await expect(authenticate(token)).rejects.toMatchObject(unauthorized);
});

test('a token that a stranger signed under our kid is refused', async () => {
  const { privateKey } = generateKeyPairSync('ed25519');
  const header = { alg: 'EdDSA', typ: 'JWT', kid: decodeProtectedHeader(appToken).kid ?? '' };
  const token = await new SignJWT(claims()).setProtectedHeader(header).sign(privateKey);
  await expect(authenticate(token)).rejects.toMatchObject(unauthorized);
});

test('anyone can verify a token with the keys that are published', async () => {
  const { keys } = await identity.client.getSigningKeys({}, anonymous);
  expect(keys.map(({ x }) => x)).toEqual(
    [createPublicKey(identity.config.jwtPrivateKey), former.publicKey].map((key) => key.export({ format: 'jwk' }).x),
  );
  const set = createLocalJWKSet({ keys: keys.map(({ kid, x }) => ({ kty: 'OKP', crv: 'Ed25519', kid, x })) });
  const { payload } = await jwtVerify(appToken, set);
  expect(payload.sub).toBe(merchant.user.id);
});
