import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '#platform/ids.ts';
import {
  anonymous,
  type IdentityUnderTest,
  listenForRevocations,
  provisionTestMerchant,
  startIdentity,
} from './testing.ts';

const hourMs = 3_600_000;
const unauthorized = { kind: 'unauthenticated', code: 'unauthorized' };
const plain = { name: 'Shop', scopes: ['loyalty:read'], fullAccess: false, expiresAt: undefined, sandbox: false };
let identity: IdentityUnderTest;
let merchant: Awaited<ReturnType<typeof provisionTestMerchant>>;
let revocations: Awaited<ReturnType<typeof listenForRevocations>>;

beforeAll(async () => {
  identity = await startIdentity();
  revocations = await listenForRevocations();
  merchant = await provisionTestMerchant(identity);
});
afterAll(async () => {
  revocations.stop();
  await identity.stop();
});

const authenticate = (credential: string | undefined) =>
  identity.client.authenticate({ credential: credential ?? '' }, anonymous);
const works = (credential: string | undefined) =>
  authenticate(credential).then(
    () => true,
    () => false,
  );
const create = (fields: { name?: string; scopes?: string[]; expiresAt?: Date } = {}) =>
  identity.client.createKey({ ...plain, ...fields }, merchant.caller);
const rotate = (id: string, graceHours: number) => identity.client.rotateKey({ id, graceHours }, merchant.caller);
const stored = () => identity.database.connection.collection('audit_logs');

describe('what manages keys', () => {
  const calls = [
    ['rotateKey', { id: newId(), graceHours: 24 }],
    ['freezeKey', { id: newId() }],
    ['unfreezeKey', { id: newId() }],
    ['getKeyUsage', { id: newId() }],
  ] as const;

  test.each(calls)('%s is for users and app keys', async (rpc, request) => {
    for (const kind of ['api_key', 'anonymous', 'operator'] as const) {
      const call = identity.client[rpc](request as never, { ...merchant.caller, kind });
      await expect(call).rejects.toMatchObject({ kind: 'forbidden', code: 'forbidden' });
    }
    const asAppKey = identity.client[rpc](request as never, { ...merchant.caller, kind: 'app_key' });
    await expect(asAppKey).rejects.toMatchObject({ code: 'not_found' });
  });

  test.each(calls)("%s answers alike for another merchant's key, a made-up id and no id", async (rpc, request) => {
    const rival = await provisionTestMerchant(identity);
    const theirs = await identity.client.createKey(plain, rival.caller);
    const answers = [];
    for (const id of [theirs.id, newId(), 'x', '']) {
      const error = await identity.client[rpc]({ ...request, id } as never, merchant.caller).catch((thrown) => thrown);
      answers.push({ kind: error.kind, code: error.code, message: error.message, details: error.details });
    }
    expect(answers[0]).toMatchObject({ kind: 'not_found', code: 'not_found' });
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(await authenticate(theirs.secret)).toMatchObject({ frozen: false });
  });
});

describe('rotating a key', () => {
  test.each([-1, 169, 1_000_000])('with %d hours of grace is refused', async (graceHours) => {
    const { id } = await create();
    await expect(rotate(id, graceHours)).rejects.toMatchObject({ kind: 'unprocessable' });
  });

  test('shows a new secret; the old one works until the grace period ends', async () => {
    const own = await startIdentity();
    try {
      const { caller } = await provisionTestMerchant(own);
      const before = await own.client.createKey({ ...plain, scopes: ['giftcards:read'] }, caller);
      const after = await own.client.rotateKey({ id: before.id, graceHours: 2 }, caller);
      expect(after).toMatchObject({ id: before.id, name: 'Shop', scopes: ['giftcards:read'], frozen: false });
      expect(after.secret).toMatch(/^tc_live_[0-9A-Za-z]{40}$/);
      expect(after.secret).not.toBe(before.secret);
      expect(after.secret?.startsWith(after.prefix)).toBe(true);
      const graceEnd = after.previousExpiresAt;
      expect(graceEnd?.getTime()).toBe(Number(after.rotatedAt?.getTime()) + 2 * hourMs);
      const ask = (credential = '') => own.client.authenticate({ credential }, anonymous);
      // Caches at the gateways cannot outlive it.
      expect(await ask(before.secret)).toMatchObject({ credentialId: before.id, expiresAt: graceEnd });
      expect(await ask(after.secret)).toMatchObject({ credentialId: before.id, expiresAt: undefined });
      own.advance(2 * hourMs + 1);
      await expect(ask(before.secret)).rejects.toMatchObject(unauthorized);
      await ask(after.secret);
      expect((await own.client.listKeys({}, caller)).keys).toEqual([{ ...after, secret: undefined }]);
    } finally {
      await own.stop();
    }
  });

  test('without grace stops the old secret at once, and the gateways are told', async () => {
    const before = await create();
    const after = await rotate(before.id, 0);
    expect([await works(before.secret), await works(after.secret)]).toEqual([false, true]);
    expect(after.previousExpiresAt).toBeUndefined();
    await revocations.told(before.id);
  });

  test('again within the grace period leaves the newest two', async () => {
    const first = await create();
    const second = await rotate(first.id, 24);
    const third = await rotate(first.id, 24);
    expect([await works(first.secret), await works(second.secret), await works(third.secret)]).toEqual([
      false,
      true,
      true,
    ]);
    await rotate(first.id, 0);
    expect([await works(second.secret), await works(third.secret)]).toEqual([false, false]);
  });

  test('gives the old secret no longer than the key has', async () => {
    const expiresAt = new Date(Date.now() + hourMs);
    const { id, secret } = await create({ expiresAt });
    const after = await rotate(id, 24);
    expect(after.previousExpiresAt).toEqual(expiresAt);
    expect(await authenticate(secret)).toMatchObject({ expiresAt });
  });

  test('many times at once never leaves a secret that nobody was shown, nor more than two', async () => {
    for (const graceHours of [0, 24]) {
      const first = await create();
      const results = await Promise.allSettled(Array.from({ length: 12 }, () => rotate(first.id, graceHours)));
      const shown = [first.secret];
      for (const result of results) {
        if (result.status === 'fulfilled') shown.push(result.value.secret);
        else expect(result.reason).toMatchObject({ kind: 'conflict', code: 'conflict' });
      }
      expect(shown.length).toBeGreaterThan(1);
      const alive = (await Promise.all(shown.map(works))).filter(Boolean).length;
      expect(alive).toBe(graceHours === 0 ? 1 : 2);
      // Each that succeeded followed on another: the first secret is one of the newest two only if there was one.
      expect(await works(first.secret)).toBe(graceHours > 0 && shown.length === 2);
      const { keys } = await identity.client.listKeys({}, merchant.caller);
      const { prefix = '' } = keys.find(({ id }) => id === first.id) ?? {};
      expect(shown.filter((secret) => secret?.startsWith(prefix))).toHaveLength(1);
    }
  });

  test('is refused while it is frozen, and once it expired', async () => {
    const own = await startIdentity();
    try {
      const { caller } = await provisionTestMerchant(own);
      const key = await own.client.createKey({ ...plain, expiresAt: new Date(Date.now() + hourMs) }, caller);
      await own.client.freezeKey({ id: key.id }, caller);
      const refused = { kind: 'conflict', code: 'key_not_active' };
      const again = () => own.client.rotateKey({ id: key.id, graceHours: 0 }, caller);
      await expect(again()).rejects.toMatchObject({ ...refused, details: { status: 'frozen' } });
      await own.client.unfreezeKey({ id: key.id }, caller);
      own.advance(hourMs + 1);
      await expect(again()).rejects.toMatchObject({ ...refused, details: { status: 'expired' } });
    } finally {
      await own.stop();
    }
  });
});

describe('freezing a key', () => {
  test('is told with it, undone by unfreezing, and neither matters twice', async () => {
    const { id, secret } = await create();
    const old = await rotate(id, 24);
    const freeze = () => identity.client.freezeKey({ id }, merchant.caller);
    const frozen = await freeze();
    expect(frozen).toMatchObject({ id, frozen: true, frozenAt: expect.any(Date), secret: undefined });
    expect(await freeze()).toEqual(frozen);
    for (const one of [secret, old.secret]) expect(await authenticate(one)).toMatchObject({ frozen: true });
    await revocations.told(id);
    const unfreeze = () => identity.client.unfreezeKey({ id }, merchant.caller);
    expect(await unfreeze()).toMatchObject({ id, frozen: false, frozenAt: undefined });
    expect(await unfreeze()).toMatchObject({ id, frozen: false });
    expect(await authenticate(secret)).toMatchObject({ frozen: false });
    const actions = await stored().find({ resourceId: id }).sort({ _id: 1 }).toArray();
    expect(actions.map(({ action }) => action)).toEqual(['key_created', 'key_rotated', 'key_frozen', 'key_unfrozen']);
  });

  test('at once with rotating it ends frozen or in a refusal', async () => {
    const { id } = await create();
    const [rotated, frozen] = await Promise.allSettled([
      rotate(id, 0),
      identity.client.freezeKey({ id }, merchant.caller),
    ]);
    expect(frozen.status).toBe('fulfilled');
    if (rotated.status === 'rejected') expect(['conflict', 'key_not_active']).toContain(rotated.reason.code);
    const { keys } = await identity.client.listKeys({}, merchant.caller);
    expect(keys.find((key) => key.id === id)).toMatchObject({ frozen: true });
  });
});

describe('the audit log', () => {
  test('tells of keys by prefix, never by secret', async () => {
    const made = await create({ scopes: ['loyalty:read', 'giftcards:read'] });
    const rotated = await rotate(made.id, 1);
    await identity.client.deleteKey({ id: made.id }, merchant.caller);
    const app = await identity.client.createAppKey({ name: 'Till' }, merchant.caller);
    await identity.client.deleteAppKey({ id: app.id }, merchant.caller);
    const of = (id: string) => stored().find({ resourceId: id }).sort({ _id: 1 }).toArray();
    const [created, changed, revoked] = await of(made.id);
    const common = { resourceType: 'api_key', actorType: 'user', actorId: merchant.user.id };
    expect(created).toMatchObject({ ...common, action: 'key_created', resourceName: made.prefix });
    expect(created?.details).toMatchObject({
      name: 'Shop',
      scopes: ['loyalty:read', 'giftcards:read'],
      sandbox: false,
    });
    expect(changed).toMatchObject({ ...common, action: 'key_rotated', resourceName: rotated.prefix });
    expect(changed?.details).toMatchObject({ previousPrefix: made.prefix, graceHours: 1 });
    expect(revoked).toMatchObject({ ...common, action: 'key_revoked', resourceName: rotated.prefix });
    const ofApp = (await of(app.id)).map(({ action, resourceName }) => [action, resourceName]);
    expect(ofApp).toEqual([
      ['app_key_created', 'Till'],
      ['app_key_revoked', 'Till'],
    ]);
    const everything = JSON.stringify([...(await stored().find().toArray()), identity.logLines]);
    for (const secret of [made.secret, rotated.secret, app.token]) expect(everything).not.toContain(secret);
  });

  test('has no entry of what was refused', async () => {
    const before = await stored().countDocuments();
    await expect(create({ name: '' })).rejects.toMatchObject({ kind: 'unprocessable' });
    await expect(identity.client.deleteKey({ id: newId() }, merchant.caller)).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await stored().countDocuments()).toBe(before);
  });
});
