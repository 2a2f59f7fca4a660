import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '#platform/ids.ts';
import { testCaller } from '#platform/testing.ts';
import { type LoyaltyUnderTest, newMerchant, programNamed, startLoyalty } from './testing.ts';

const forbidden = { kind: 'forbidden', code: 'forbidden' };
const anonymous = testCaller();
const operator = testCaller({ kind: 'operator' });
let loyalty: LoyaltyUnderTest;

beforeAll(async () => {
  loyalty = await startLoyalty();
});
afterAll(() => loyalty.stop());

async function refusalOf(answer: Promise<unknown>) {
  const { kind, code, message, details } = await answer.then(
    () => ({ kind: 'answered', code: '', message: '', details: {} }),
    (error) => error,
  );
  return { kind, code, message, details };
}

describe('creating a program', () => {
  test.each([anonymous, operator])('needs a merchant', async (caller) => {
    await expect(loyalty.client.createProgram(programNamed('Club'), caller)).rejects.toMatchObject(forbidden);
  });

  test('names every fault and writes nothing', async () => {
    const caller = newMerchant();
    const giftCard = { expiryDays: 1826, bulkThreshold: -1 };
    const broken = { name: '', type: 'BOTH', currency: 'ZZZ', giftCard, website: 'javascript:alert(1)' };
    const error = await loyalty.client.createProgram(broken, caller).catch((thrown) => thrown);
    expect(error).toMatchObject({ kind: 'unprocessable', code: 'validation_error' });
    const faults = error.details.detail.map(({ loc, type }: { loc: string[]; type: string }) => [loc.join('.'), type]);
    expect(faults).toEqual([
      ['body.name', 'string_too_short'],
      ['body.type', 'literal_error'],
      ['body.currency', 'value_error'],
      ['body.giftCard.expiryDays', 'less_than_equal'],
      ['body.giftCard.bulkThreshold', 'greater_than_equal'],
      ['body.website', 'value_error'],
    ]);
    expect(await loyalty.client.listPrograms({ page: undefined }, caller)).toEqual({ programs: [], total: 0 });
  });

  test('gives defaults for what was not told', async () => {
    const caller = newMerchant();
    const program = await loyalty.client.createProgram(programNamed('Club'), caller);
    expect(program).toMatchObject({
      merchantId: caller.merchantId,
      name: 'Club',
      type: 'LOYALTY',
      currency: 'GBP',
      giftCard: { expiryDays: 365, bulkThreshold: 50 },
    });
    expect(program.company).toBeUndefined();
    expect(program.createdAt).toEqual(program.updatedAt);
  });

  test('keeps everything that was told', async () => {
    const caller = newMerchant();
    const told = {
      name: '🎁'.repeat(255),
      type: 'GIFT_CARD',
      currency: 'EUR',
      giftCard: { expiryDays: 1825, bulkThreshold: 10_000 },
      description: 'For friends',
      language: 'de',
      country: 'DE',
      company: 'Laden GmbH',
      address: 'Hauptstraße 1',
      website: 'https://laden.example',
      email: 'laden@example.com',
      phone: '+49 30 123456',
      terms: 'None',
    };
    const created = await loyalty.client.createProgram(told, caller);
    expect(created).toMatchObject(told);
    expect(await loyalty.client.getProgram({ id: created.id }, caller)).toEqual(created);
  });

  test('stops at the limit, also when many come at once', async () => {
    const small = await startLoyalty({ programsMax: 5 });
    try {
      const [caller, rival] = [newMerchant(), newMerchant()];
      const results = await Promise.allSettled(
        Array.from({ length: 12 }, (_, index) => small.client.createProgram(programNamed(`Club ${index}`), caller)),
      );
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
      for (const result of results) {
        if (result.status === 'rejected') {
          expect(result.reason).toMatchObject({ kind: 'conflict', code: 'program_limit_reached', details: { max: 5 } });
        }
      }
      const { total } = await small.client.listPrograms({ page: undefined }, caller);
      expect(total).toBe(5);
      await expect(small.client.createProgram(programNamed('Club'), rival)).resolves.toBeDefined();
    } finally {
      await small.stop();
    }
  });
});

describe('getting a program', () => {
  test.each([anonymous, operator])('needs a merchant', async (caller) => {
    await expect(loyalty.client.getProgram({ id: newId() }, caller)).rejects.toMatchObject(forbidden);
  });

  test("answers alike for another merchant's id, an unknown id and no id", async () => {
    const theirs = await loyalty.client.createProgram(programNamed('Club'), newMerchant());
    const caller = newMerchant();
    for (const id of [theirs.id, newId(), 'x', '']) {
      const refusal = { kind: 'not_found', code: 'not_found', message: 'No such program.', details: {} };
      expect(await refusalOf(loyalty.client.getProgram({ id }, caller))).toEqual(refusal);
      expect(await refusalOf(loyalty.client.resolveProgram({ id }, caller))).toEqual(refusal);
    }
  });
});

describe('listing programs', () => {
  test.each([anonymous, operator])('needs a merchant', async (caller) => {
    await expect(loyalty.client.listPrograms({ page: undefined }, caller)).rejects.toMatchObject(forbidden);
  });

  test("shows the merchant's own, newest first, a page at a time", async () => {
    const caller = newMerchant();
    await loyalty.client.createProgram(programNamed('Theirs'), newMerchant());
    const made: string[] = [];
    for (const name of ['A', 'B', 'C', 'D']) {
      made.unshift((await loyalty.client.createProgram(programNamed(name), caller)).id);
    }
    const idsOf = async (offset: number, limit: number) => {
      const { programs, total } = await loyalty.client.listPrograms({ page: { offset, limit } }, caller);
      expect(total).toBe(4);
      return programs.map(({ id }) => id);
    };
    expect(await idsOf(0, 250)).toEqual(made);
    expect(await idsOf(1, 2)).toEqual(made.slice(1, 3));
    expect(await idsOf(4, 2)).toEqual([]);
    expect(await idsOf(-1, 0)).toEqual(made);
  });

  test('narrows to one program of the merchant', async () => {
    const caller = newMerchant();
    const mine = await loyalty.client.createProgram(programNamed('Mine'), caller);
    await loyalty.client.createProgram(programNamed('Another'), caller);
    const theirs = await loyalty.client.createProgram(programNamed('Theirs'), newMerchant());
    const narrowed = (programId: string) => loyalty.client.listPrograms({ page: undefined, programId }, caller);
    expect(await narrowed(mine.id)).toEqual({ programs: [mine], total: 1 });
    for (const id of [theirs.id, newId(), 'x']) expect(await narrowed(id)).toEqual({ programs: [], total: 0 });
  });
});

describe('resolving a program', () => {
  test('is not for an operator', async () => {
    await expect(loyalty.client.resolveProgram({ id: newId() }, operator)).rejects.toMatchObject(forbidden);
  });

  test('finds any for an anonymous caller', async () => {
    const owner = newMerchant();
    const { id } = await loyalty.client.createProgram({ ...programNamed('Club'), company: 'Shop Ltd' }, owner);
    const reference = {
      id,
      merchantId: owner.merchantId,
      name: 'Club',
      currency: 'GBP',
      merchantName: 'Shop Ltd',
      cardExpiryDays: 365,
      bulkThreshold: 50,
    };
    expect(await loyalty.client.resolveProgram({ id }, anonymous)).toEqual(reference);
    expect(await loyalty.client.resolveProgram({ id }, owner)).toEqual(reference);
    for (const unknown of [newId(), 'x']) {
      const answer = loyalty.client.resolveProgram({ id: unknown }, anonymous);
      await expect(answer).rejects.toMatchObject({ kind: 'not_found', code: 'not_found' });
    }
  });
});
