import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Secret, TOTP } from 'otpauth';
import {
  anonymous,
  type IdentityUnderTest,
  listenForRevocations,
  logInAs,
  operator,
  provisionTestMerchant,
  startIdentity,
} from './testing.ts';

let identity: IdentityUnderTest;
let revocations: Awaited<ReturnType<typeof listenForRevocations>>;

beforeEach(async () => {
  identity = await startIdentity();
  revocations = await listenForRevocations();
});
afterEach(async () => {
  revocations.stop();
  await identity.stop();
});

const counters = ['mfa_tries', 'mfa_settings_tries'];
const codeOf = (secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: identity.now().getTime() });

/** From now on a try can be counted, and none be given back. */
async function failToGiveBack() {
  const { connection } = identity.database;
  const validator = { tries: { $gte: 1 } };
  for (const name of counters) await connection.db?.command({ collMod: name, validator });
}

/** From now on no try can be forgotten: views take no deletes. */
async function failToClear() {
  const { connection } = identity.database;
  for (const name of counters) {
    await connection.dropCollection(name);
    await connection.createCollection(name, { viewOn: 'users', pipeline: [] });
  }
}

const logged = () => identity.logLines.filter((line) => line.includes('tries of codes were not given back'));

test('a counter that fails after the change takes nobody the answer, nor the gateways their word', async () => {
  const merchant = await provisionTestMerchant(identity);
  const [other, own] = [await logInAs(identity, merchant), await logInAs(identity, merchant)];
  const { secret } = await identity.client.enableMfa({}, own.caller);
  await failToGiveBack();
  const { codes } = await identity.client.verifyMfa({ code: codeOf(secret) }, own.caller);
  expect(codes).toHaveLength(10);
  await revocations.told(merchant.user.id);
  const ended = identity.client.authenticate({ credential: other.accessToken }, anonymous);
  await expect(ended).rejects.toMatchObject({ code: 'unauthorized' });
  const { email, password } = merchant;
  const pair = await identity.client.logIn({ email, password, code: codes[0] ?? '' }, anonymous);
  expect(pair.refreshToken).toBeDefined();
  await identity.database.connection.collection('mfa_settings_tries').deleteMany({});
  await identity.client.disableMfa({ code: codes[1] ?? '' }, own.caller);
  expect(logged()).toHaveLength(3);
});

test('an answer that was lost is no reason to leave the gateways without word', async () => {
  const merchant = await provisionTestMerchant(identity);
  const { caller } = await logInAs(identity, merchant);
  const { secret } = await identity.client.enableMfa({}, caller);
  await identity.client.verifyMfa({ code: codeOf(secret) }, caller);
  await revocations.told(merchant.user.id);
  const again = identity.client.verifyMfa({ code: codeOf(secret) }, caller);
  await expect(again).rejects.toMatchObject({ code: 'mfa_already_enabled' });
  await revocations.told(merchant.user.id, 2);
});

test('an administrator resets MFA though the counter fails, and the gateways hear of it', async () => {
  const root = { email: `root-${randomBytes(4).toString('hex')}@example.com`, password: 'correct horse battery' };
  await identity.client.provisionMerchant({ ...root, name: 'Root', company: 'Platform', admin: true }, operator);
  const admin = await logInAs(identity, root);
  const { user } = await provisionTestMerchant(identity);
  await failToClear();
  expect(await identity.client.resetMfa({ userId: user.id }, admin.caller)).toEqual(user);
  await revocations.told(user.id);
  expect(logged()).toHaveLength(2);
});
