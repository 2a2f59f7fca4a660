import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { list, oneOf, text } from '../schemas/primitives.ts';
import { itemsMax, toValidationItems } from './translate-issues.ts';

const shape = z.strictObject({
  name: text({ min: 2 }),
  securityCode: text({ min: 6, max: 6 }),
  nested: z.strictObject({ password: text({}) }).optional(),
  tags: list(text({}), { max: 1_000 }).optional(),
});

function itemsOf(value: unknown) {
  const result = shape.safeParse(value);
  return toValidationItems(result.error?.issues ?? [], 'body', value);
}

test('a missing field is answered with its parent, without the secrets in it', () => {
  const items = itemsOf({ securityCode: '123456', note: 'x' });
  expect(items).toEqual([
    {
      type: 'missing',
      loc: ['body', 'name'],
      msg: 'Field required',
      input: { securityCode: '[secret]', note: 'x' },
    },
    { type: 'extra_forbidden', loc: ['body', 'note'], msg: 'Extra inputs are not permitted', input: 'x' },
  ]);
});

test('no secret is echoed: not by itself, nested, misspelt, as a list item or in a parent', () => {
  const secret = 'hunter2hunter2';
  const value = {
    name: 'a',
    securityCode: secret,
    Password: secret,
    sharedSecret: secret,
    refresh_token: secret,
    apiKeys: [secret],
    nested: { passwordHash: secret },
    cardNumber: '6034930000000017',
    memo: '6034 9300 0000 0017',
  };
  const items = itemsOf(value);
  expect(items.map(({ loc }) => loc.join('.'))).toEqual(
    expect.arrayContaining(['body.securityCode', 'body.Password', 'body.nested.password', 'body.nested.passwordHash']),
  );
  expect(JSON.stringify(items)).not.toMatch(/hunter2|0017/);
});

test.each([
  ['a document sent as a text', JSON.stringify({ securityCode: 'hunter2' })],
  ['a text alone', 'hunter2'],
  ['a document sent as a form, which makes it a name', { '{"password":"hunter2"}': '' }],
  ['a document in a field', { name: 'ab', securityCode: '123456', memo: ' {"pin":"hunter2"}' }],
])('no secret is echoed of %s', (_what, value) => {
  const items = itemsOf(value);
  expect(items.length).toBeGreaterThan(0);
  expect(JSON.stringify(items)).not.toContain('hunter2');
});

test('a list item is named by its place', () => {
  expect(itemsOf({ name: 'ab', securityCode: '123456', tags: ['a', 5] })[0]).toMatchObject({
    loc: ['body', 'tags', '1'],
    type: 'string_type',
    input: 5,
  });
});

test('an answer stays small, however much is wrong', () => {
  const tags = Array.from({ length: 900 }, () => ({ deep: 'x'.repeat(900) }));
  const items = itemsOf({ name: 'ab', securityCode: '123456', tags });
  expect(items).toHaveLength(itemsMax);
  const extras = Object.fromEntries(
    Array.from({ length: 900 }, (_value, index) => [`field${index}`, 'x'.repeat(5_000)]),
  );
  const many = itemsOf({ name: 'ab', securityCode: '123456', ...extras });
  expect(many).toHaveLength(itemsMax);
  expect(JSON.stringify(many[0]).length).toBeLessThan(1_200);
});

test('a deep value is cut, not followed for ever', () => {
  let deep: unknown = 1;
  for (let depth = 0; depth < 5_000; depth += 1) deep = { deep };
  expect(JSON.stringify(itemsOf({ name: deep, securityCode: '123456' })).length).toBeLessThan(2_000);
});

test('a prototype is no field', () => {
  const value = JSON.parse('{"__proto__": {"name": "ab"}, "securityCode": "123456"}') as unknown;
  expect(itemsOf(value).map(({ type }) => type)).toContain('missing');
});

test('the word that picks a member of a union is one of those of all members', () => {
  const union = z.discriminatedUnion('type', [
    z.strictObject({ type: oneOf('a', 'b'), x: text({}) }),
    z.strictObject({ type: oneOf('c') }),
  ]);
  const of = (value: unknown) => toValidationItems(union.safeParse(value).error?.issues ?? [], 'body', value);
  const expected = "'a', 'b' or 'c'";
  expect(of({ type: 'd' })).toEqual([
    { type: 'literal_error', loc: ['body', 'type'], msg: `Input should be ${expected}`, input: 'd', ctx: { expected } },
  ]);
  expect(of({})).toEqual([{ type: 'missing', loc: ['body', 'type'], msg: 'Field required', input: {} }]);
  expect(of({ type: 'a' })).toMatchObject([{ type: 'missing', loc: ['body', 'x'] }]);
  expect(of([])).toMatchObject([{ type: 'model_attributes_type', loc: ['body'] }]);
});
