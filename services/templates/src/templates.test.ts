import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '#platform/ids.ts';
import { testCaller } from '#platform/testing.ts';
import { newMerchant, startTemplates, type TemplatesUnderTest } from './testing.ts';

const coupon = { name: 'Spring', passStyle: 'coupon' };
let templates: TemplatesUnderTest;

beforeAll(async () => {
  templates = await startTemplates();
});
afterAll(() => templates.stop());

async function refusalOf(answer: Promise<unknown>) {
  const { kind, code, message, details } = await answer.then(
    () => ({ kind: 'answered', code: '', message: '', details: {} }),
    (error) => error,
  );
  return { kind, code, message, details };
}

test.each(['anonymous', 'operator'] as const)('nothing is for a caller of kind %s', async (kind) => {
  const { client } = templates;
  const caller = testCaller({ kind });
  const forbidden = { kind: 'forbidden', code: 'forbidden' };
  await expect(client.createTemplate(coupon, caller)).rejects.toMatchObject(forbidden);
  await expect(client.listTemplates({ page: undefined }, caller)).rejects.toMatchObject(forbidden);
  await expect(client.getTemplate({ id: newId() }, caller)).rejects.toMatchObject(forbidden);
  await expect(client.deleteTemplate({ id: newId() }, caller)).rejects.toMatchObject(forbidden);
});

test("another merchant's id, an unknown id and no id answer alike, and delete nothing", async () => {
  const { client } = templates;
  const [owner, caller] = [newMerchant(), newMerchant()];
  const theirs = await client.createTemplate(coupon, owner);
  const refusal = { kind: 'not_found', code: 'not_found', message: 'No such template.', details: {} };
  for (const id of [theirs.id, newId(), 'x', '']) {
    expect(await refusalOf(client.getTemplate({ id }, caller))).toEqual(refusal);
    expect(await refusalOf(client.deleteTemplate({ id }, caller))).toEqual(refusal);
  }
  expect(await client.getTemplate({ id: theirs.id }, owner)).toEqual(theirs);
});

describe('creating a template', () => {
  test('names every fault', async () => {
    const broken = { name: 'x'.repeat(256), passStyle: 'poster' };
    const error = await templates.client.createTemplate(broken, newMerchant()).catch((thrown) => thrown);
    expect(error).toMatchObject({ kind: 'unprocessable', code: 'validation_error' });
    const faults = error.details.detail.map(({ loc, type }: { loc: string[]; type: string }) => [loc.join('.'), type]);
    expect(faults).toEqual([
      ['body.name', 'string_too_long'],
      ['body.passStyle', 'literal_error'],
    ]);
  });

  test.each(['generic', 'coupon', 'storeCard', 'eventTicket', 'boardingPass'])('takes a %s', async (passStyle) => {
    const caller = newMerchant();
    const template = await templates.client.createTemplate({ name: 'Spring', passStyle }, caller);
    expect(template).toMatchObject({ merchantId: caller.merchantId, name: 'Spring', passStyle });
    expect(await templates.client.getTemplate({ id: template.id }, caller)).toEqual(template);
  });

  test('stops at the limit, also when many come at once, and goes on after a deletion', async () => {
    const small = await startTemplates({ templatesMax: 3 });
    try {
      const caller = newMerchant();
      const results = await Promise.allSettled(
        Array.from({ length: 8 }, () => small.client.createTemplate(coupon, caller)),
      );
      const made = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.id] : []));
      expect(made).toHaveLength(3);
      const limit = { kind: 'conflict', code: 'template_limit_reached', details: { max: 3 } };
      await expect(small.client.createTemplate(coupon, caller)).rejects.toMatchObject(limit);
      await small.client.deleteTemplate({ id: made[0] ?? '' }, caller);
      await small.client.createTemplate(coupon, caller);
      await expect(small.client.createTemplate(coupon, caller)).rejects.toMatchObject(limit);
    } finally {
      await small.stop();
    }
  });
});

describe('listing templates', () => {
  test("shows the merchant's own, newest first, a page at a time", async () => {
    const caller = newMerchant();
    await templates.client.createTemplate(coupon, newMerchant());
    const made: string[] = [];
    for (const name of ['A', 'B', 'C']) {
      made.unshift((await templates.client.createTemplate({ ...coupon, name }, caller)).id);
    }
    const idsOf = async (offset: number, limit: number) => {
      const { templates: page, total } = await templates.client.listTemplates({ page: { offset, limit } }, caller);
      expect(total).toBe(3);
      return page.map(({ id }) => id);
    };
    expect(await idsOf(0, 250)).toEqual(made);
    expect(await idsOf(1, 1)).toEqual(made.slice(1, 2));
    expect(await idsOf(-1, 0)).toEqual(made);
  });
});

describe('deleting a template', () => {
  test('deletes it once, also when it is sent many times at once', async () => {
    const caller = newMerchant();
    const { id } = await templates.client.createTemplate(coupon, caller);
    const results = await Promise.allSettled(
      Array.from({ length: 5 }, () => templates.client.deleteTemplate({ id }, caller)),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(templates.client.getTemplate({ id }, caller)).rejects.toMatchObject({ code: 'not_found' });
    expect(await templates.client.listTemplates({ page: undefined }, caller)).toEqual({ templates: [], total: 0 });
  });
});
