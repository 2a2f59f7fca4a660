import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Caller } from '#platform/grpc/caller.ts';
import { newId } from '#platform/ids.ts';
import { testCaller } from '#platform/testing.ts';
import type { RuleSettings } from '#proto/loyalty/v1/loyalty.ts';
import { rulesMax as rulesMaxByDefault } from './domain/rule.ts';
import { type LoyaltyUnderTest, newMerchant, programNamed, startLoyalty } from './testing.ts';

const rulesMax = 3;
let loyalty: LoyaltyUnderTest;
beforeAll(async () => {
  loyalty = await startLoyalty({ rulesMax });
});
afterAll(() => loyalty.stop());

const settings: RuleSettings = {
  name: 'Double points on coffee',
  enabled: true,
  trigger: 'transaction.recorded',
  conditions: [
    { field: 'transaction.amount', operator: 'gte', number: 500n, words: [] },
    { field: 'transaction.category', operator: 'in', words: ['coffee'] },
  ],
  actions: [{ type: 'multiply_points', multiplierHundredths: 150 }],
  startsAt: new Date('2027-01-01T00:00:00.000Z'),
  endsAt: new Date('2027-02-01T00:00:00.000Z'),
  priority: 10,
};

async function ofNewProgram(caller: Caller = newMerchant()) {
  const { id: programId } = await loyalty.client.createProgram(programNamed('Club'), caller);
  const create = (changes: Partial<RuleSettings> = {}) =>
    loyalty.client.createRule({ programId, settings: { ...settings, ...changes } }, caller);
  const list = (page = { offset: 0, limit: 0 }) => loyalty.client.listRules({ programId, page }, caller);
  return { caller, programId, create, list };
}

const notFound = { kind: 'not_found', code: 'not_found' };

describe('refused', () => {
  test('are rules of a program that is missing or not the caller’s, all alike', async () => {
    const { programId, create } = await ofNewProgram();
    const { id } = await create();
    const stranger = newMerchant();
    const own = await ofNewProgram(stranger);
    const { client } = loyalty;
    for (const where of [programId, newId(), 'x']) {
      await expect(client.createRule({ programId: where, settings }, stranger)).rejects.toMatchObject(notFound);
      await expect(client.listRules({ programId: where, page: undefined }, stranger)).rejects.toMatchObject(notFound);
    }
    for (const where of [
      { programId, id },
      { programId: own.programId, id },
      { programId: own.programId, id: newId() },
      { programId: 'x', id: 'y' },
    ]) {
      await expect(client.updateRule({ ...where, settings }, stranger)).rejects.toMatchObject(notFound);
      await expect(client.deleteRule(where, stranger)).rejects.toMatchObject(notFound);
    }
  });

  test('is a caller that acts for no merchant', async () => {
    const answer = loyalty.client.listRules({ programId: newId(), page: undefined }, testCaller());
    await expect(answer).rejects.toMatchObject({ kind: 'forbidden' });
  });

  test('are settings with faults, when a rule is made and when it is replaced', async () => {
    const { caller, programId, create, list } = await ofNewProgram();
    const { id } = await create();
    const wrong = { ...settings, trigger: 'moon.full', actions: [{ type: 'send_flowers' }] };
    const invalid = { kind: 'unprocessable', code: 'validation_error' };
    await expect(create(wrong)).rejects.toMatchObject(invalid);
    const update = (given: RuleSettings | undefined) =>
      loyalty.client.updateRule({ programId, id, settings: given }, caller);
    await expect(update(wrong)).rejects.toMatchObject(invalid);
    await expect(update(undefined)).rejects.toMatchObject(invalid);
    expect((await list()).rules).toMatchObject([{ id, settings }]);
  });

  test('are more than a program may have, however many come at once', async () => {
    const { create, list, caller, programId } = await ofNewProgram();
    const attempts = await Promise.allSettled(Array.from({ length: rulesMax + 2 }, () => create()));
    const refused = attempts.flatMap((attempt) => (attempt.status === 'rejected' ? [attempt.reason] : []));
    expect(refused).toMatchObject([
      { kind: 'conflict', code: 'rule_limit_reached', details: { max: rulesMax } },
      { code: 'rule_limit_reached' },
    ]);
    const { rules, total } = await list();
    expect(total).toBe(rulesMax);
    await loyalty.client.deleteRule({ programId, id: String(rules[0]?.id) }, caller);
    await create();
    // Another program counts for itself.
    await (await ofNewProgram(caller)).create();
  });
});

describe('a rule', () => {
  test('is kept as it was made, and replaced whole', async () => {
    const { caller, programId, create, list } = await ofNewProgram();
    const made = await create();
    expect(made).toMatchObject({ id: expect.stringMatching(/^[0-9a-f]{24}$/), programId, settings });
    expect((await list()).rules).toEqual([made]);
    const other: RuleSettings = {
      name: 'Birthday',
      enabled: false,
      trigger: 'customer.birthday',
      conditions: [],
      actions: [{ type: 'award_points', points: 50 }],
      startsAt: undefined,
      endsAt: undefined,
      priority: 0,
    };
    const changed = await loyalty.client.updateRule({ programId, id: made.id, settings: other }, caller);
    expect(changed).toEqual({ ...made, settings: other, updatedAt: expect.any(Date) });
    expect(Number(changed.updatedAt)).toBeGreaterThanOrEqual(Number(made.updatedAt));
    expect(await list()).toEqual({ rules: [changed], total: 1 });
  });

  test('comes before those of lower priority, then before younger ones', async () => {
    const { create, list } = await ofNewProgram();
    const [low, high, alsoHigh] = [await create({ priority: 1 }), await create(), await create()];
    const idsOf = async (offset: number, limit: number) => (await list({ offset, limit })).rules.map(({ id }) => id);
    expect(await idsOf(0, 0)).toEqual([high.id, alsoHigh.id, low.id]);
    expect(await idsOf(1, 1)).toEqual([alsoHigh.id]);
  });

  test('that is deleted is gone', async () => {
    const { caller, programId, create, list } = await ofNewProgram();
    const { id } = await create();
    await loyalty.client.deleteRule({ programId, id }, caller);
    expect(await list()).toEqual({ rules: [], total: 0 });
    await expect(loyalty.client.deleteRule({ programId, id }, caller)).rejects.toMatchObject(notFound);
  });
});

test('as many of the longest rules as a program may have are one page', async () => {
  const own = await startLoyalty();
  try {
    const caller = newMerchant();
    const { id: programId } = await own.client.createProgram(programNamed('Club'), caller);
    const words = (characters: number) => Array.from({ length: 50 }, () => '\u{1F375}'.repeat(characters));
    const of = (...lengths: number[]): RuleSettings => ({
      ...settings,
      conditions: lengths.map((length) => ({ field: 'transaction.category', operator: 'in', words: words(length) })),
    });
    const create = (longest: RuleSettings) => own.client.createRule({ programId, settings: longest }, caller);
    await expect(create(of(79, 1))).rejects.toMatchObject({ kind: 'unprocessable' });
    for (let made = 0; made < rulesMaxByDefault; made += 1) await create(of(78));
    const { rules, total } = await own.client.listRules({ programId, page: undefined }, caller);
    expect([rules.length, total]).toEqual([rulesMaxByDefault, rulesMaxByDefault]);
  } finally {
    await own.stop();
  }
}, 30_000);
