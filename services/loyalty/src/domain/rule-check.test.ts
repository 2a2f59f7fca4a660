import { describe, expect, test } from '@jest/globals';
import type { RuleDraft } from './rule.ts';
import { toRuleSettings } from './rule-check.ts';

const draft: RuleDraft = {
  name: 'Double points on coffee',
  enabled: true,
  trigger: 'transaction.recorded',
  conditions: [
    { field: 'transaction.amount', operator: 'gte', value: 500 },
    { field: 'customer.points', operator: 'lt', value: 1000 },
    { field: 'transaction.category', operator: 'in', value: ['coffee', 'tea'] },
  ],
  actions: [
    { type: 'multiply_points', multiplierHundredths: 200 },
    { type: 'award_points', points: 5 },
    { type: 'issue_voucher', voucherId: 'a'.repeat(24) },
    { type: 'notify_customer', message: 'Thank you' },
  ],
  priority: 0,
};

const condition = (field: string, operator: string, value: unknown) => ({ conditions: [{ field, operator, value }] });
const action = (type: string, rest: object = {}) => ({ actions: [{ type, ...rest }] });
const many = <Item>(count: number, item: Item) => Array.from({ length: count }, () => item);
const day = (number: number) => new Date(Date.UTC(2027, 0, number));

/** Where the faults of a draft are. */
function faultsOf(changes: Partial<RuleDraft>): string[] {
  try {
    toRuleSettings({ ...draft, ...changes });
    return [];
  } catch (error) {
    const items = (error as { details: { detail: { loc: string[]; type: string }[] } }).details.detail;
    return items.map(({ loc, type }) => `${loc.slice(1).join('.')} ${type}`);
  }
}

describe('a rule is refused', () => {
  test.each<[string, Partial<RuleDraft>, string[]]>([
    ['without a name', { name: '' }, ['name string_too_short']],
    [
      'with an unknown trigger',
      { trigger: 'moon.full', conditions: [], actions: [{ type: 'award_points', points: 1 }] },
      ['trigger literal_error'],
    ],
    ['with a priority below 0', { priority: -1 }, ['priority greater_than_equal']],
    ['with a priority above 1000', { priority: 1001 }, ['priority less_than_equal']],
    ['without an action', { actions: [] }, ['actions value_error']],
    ['with 11 actions', { actions: many(11, { type: 'award_points', points: 1 }) }, ['actions value_error']],
    [
      'with 21 conditions',
      { conditions: many(21, { field: 'customer.points', operator: 'eq', value: 1 }) },
      ['conditions value_error'],
    ],
    [
      'that is too long, though each of its parts is within bounds',
      { conditions: many(20, { field: 'transaction.category', operator: 'in', value: many(50, 'x'.repeat(100)) }) },
      ['conditions value_error'],
    ],
    ['that ends when it starts', { startsAt: day(1), endsAt: day(1) }, ['endsAt value_error']],
    ['on an unknown field', condition('customer.shoeSize', 'eq', 1), ['conditions.0.field literal_error']],
    ['on a field of every object', condition('toString', 'eq', 1), ['conditions.0.field literal_error']],
    ['with an unknown operator', condition('customer.points', 'like', 1), ['conditions.0.operator literal_error']],
    ["with another field's operator", condition('customer.points', 'in', 1), ['conditions.0.operator literal_error']],
    ['that compares a number with words', condition('customer.points', 'eq', ['x']), ['conditions.0.value int_type']],
    [
      'that compares with a part of a penny',
      condition('transaction.amount', 'eq', 0.5),
      ['conditions.0.value int_type'],
    ],
    [
      'that compares with less than nothing',
      condition('transaction.amount', 'gt', -1),
      ['conditions.0.value greater_than_equal'],
    ],
    ['that looks for no words', condition('transaction.category', 'in', []), ['conditions.0.value value_error']],
    ['that looks for a number', condition('transaction.category', 'in', 5), ['conditions.0.value value_error']],
    [
      'that looks for 51 words',
      condition('transaction.category', 'in', many(51, 'x')),
      ['conditions.0.value value_error'],
    ],
    [
      'that looks for an empty word',
      condition('transaction.category', 'in', ['x', '']),
      ['conditions.0.value.1 string_too_short'],
    ],
    ['with an unknown action', action('send_flowers'), ['actions.0.type literal_error']],
    ['that awards nothing', action('award_points', { points: 0 }), ['actions.0.points greater_than_equal']],
    ['that awards it does not say what', action('award_points'), ['actions.0.points int_type']],
    [
      'that multiplies by 0',
      action('multiply_points', { multiplierHundredths: 0 }),
      ['actions.0.multiplier greater_than_equal'],
    ],
    [
      'that multiplies by more than 100',
      action('multiply_points', { multiplierHundredths: 10_001 }),
      ['actions.0.multiplier less_than_equal'],
    ],
    ['that issues no voucher', action('issue_voucher', { voucherId: 'x' }), ['actions.0.voucherId value_error']],
    ['that has nothing to tell', action('notify_customer'), ['actions.0.message string_too_short']],
    [
      'that looks at a transaction when there is none',
      { trigger: 'customer.birthday' },
      ['conditions.0.field value_error', 'conditions.2.field value_error', 'actions.0.type value_error'],
    ],
  ])('%s', (_what, changes, faults) => {
    expect(faultsOf(changes)).toEqual(faults);
  });
});

test.each<[string, Partial<RuleDraft>]>([
  ['a whole one', {}],
  ['one on every transaction', { conditions: [] }],
  ['one with a term', { startsAt: day(1), endsAt: day(2) }],
  [
    'one on birthdays',
    {
      trigger: 'customer.birthday',
      ...condition('customer.points', 'gte', 0),
      ...action('award_points', { points: 1_000_000 }),
    },
  ],
])('%s is accepted', (_what, changes) => {
  expect(faultsOf(changes)).toEqual([]);
});
