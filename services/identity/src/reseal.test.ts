import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Secret, TOTP } from 'otpauth';
import { type KeyRing, open, seal } from '#platform/encryption.ts';
import { resealMain } from './reseal-main.ts';
import { prepareDatabase } from './store/prepare-database.ts';
import { sealedFields } from './store/sealed-fields.ts';
import { anonymous, type IdentityUnderTest, logInAs, provisionTestMerchant, startIdentity } from './testing.ts';

const newKey = randomBytes(32);
const onlyNew: KeyRing = { current: 'k2', keys: new Map([['k2', newKey]]) };
const stepMs = 30_000;
let identity: IdentityUnderTest;
let both: KeyRing;

beforeEach(async () => {
  // Nobody listens on port 9: mails wait.
  identity = await startIdentity({ mailVia: { smtpUrl: new URL('smtp://127.0.0.1:9') } });
  both = { current: 'k2', keys: new Map([['k2', newKey], ...identity.config.encryptionKeys.keys]) };
});
afterEach(() => identity.stop());

const rows = (name: string) => identity.database.connection.collection(name);

async function run(ring: KeyRing) {
  const lines: string[] = [];
  const env = {
    MONGODB_URI: identity.database.uri,
    MONGODB_DATABASE: identity.database.database,
    IDENTITY_ENCRYPTION_KEYS: [...ring.keys].map(([id, key]) => `${id}:${key.toString('base64')}`).join(),
  };
  const code = await resealMain(env, (line) => lines.push(line));
  return { code, text: lines.join('\n') };
}

const totpOf = (secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: 30 }).generate({
    timestamp: identity.now().getTime(),
  });

/** A user with MFA, of which a mail waits that says so. */
async function withMfa() {
  const merchant = await provisionTestMerchant(identity);
  const { caller } = await logInAs(identity, merchant);
  const { secret } = await identity.client.enableMfa({}, caller);
  await identity.client.verifyMfa({ code: totpOf(secret) }, caller);
  identity.advance(stepMs);
  return { ...merchant, secret };
}

test('a seed that no key opens is named, the others are sealed anew, and mails too', async () => {
  const [lost, kept] = [await withMfa(), await withMfa()];
  const ring = { current: 'k0', keys: new Map([['k0', randomBytes(32)]]) };
  const _id = identity.database.connection.base.mongo.ObjectId.createFromHexString(lost.user.id);
  await rows('mfa').updateOne({ _id }, { $set: { sealedSeed: seal(lost.secret, lost.user.id, ring) } });
  const { code, text } = await run(both);
  expect([code, text]).toEqual([1, expect.stringContaining(`FAULT mfa ${lost.user.id}: no encryption key "k0"`)]);
  for (const secret of [lost.secret, kept.secret, kept.email]) expect(text).not.toContain(secret);
  const mails = await rows('mails').find().toArray();
  expect(mails.length).toBeGreaterThan(1);
  for (const { _id: id, sealed } of mails) expect(open(String(sealed), String(id), onlyNew)).toContain('@example.com');
});

test('after it a pod with the new key alone takes the users’ codes', async () => {
  const user = await withMfa();
  const seen = async () => (await rows('mfa').find().toArray()).map(({ sealedSeed: _seed, ...rest }) => rest);
  const rest = await seen();
  expect((await run(both)).code).toBe(0);
  expect(await seen()).toEqual(rest);
  expect((await run(onlyNew)).code).toBe(0);
  Object.assign(identity.config, { encryptionKeys: onlyNew });
  const replica = await startIdentity({ replicaOf: identity });
  try {
    const code = totpOf(user.secret);
    const { accessToken } = await replica.client.logIn({ email: user.email, password: user.password, code }, anonymous);
    expect(accessToken).not.toBe('');
  } finally {
    await replica.stop();
  }
});

test('every sealed field of the stored records is one of those', async () => {
  const db = await identity.database.connection.base.createConnection(identity.database.uri).asPromise();
  try {
    const named = db.useDb(identity.database.database);
    await prepareDatabase(named);
    const found = Object.values(named.models).flatMap((model) =>
      Object.keys(model.schema.paths)
        .filter((path) => /sealed/i.test(path))
        .map((field) => `${model.collection.name}.${field}`),
    );
    expect(found.sort()).toEqual(sealedFields.map(({ collection, field }) => `${collection}.${field}`).sort());
  } finally {
    await db.close();
  }
});
