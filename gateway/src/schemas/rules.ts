import { z } from 'zod';
import { instant, money, PagingQuery, recordId } from './common.ts';
import { ProgramPath } from './loyalty.ts';
import { amount, body, boolean, dateTime, id, integer, list, object, oneOf, optional, text } from './primitives.ts';

export const RulePath = ProgramPath.extend({ ruleId: id('The rule.') });

export const ListRulesQuery = PagingQuery;

const conditionsMax = 20;
const actionsMax = 10;
const wordsMax = 50;
const amountMax = 100_000_000n;
const countMax = 1_000_000_000;
const multiplierMax = 10_000n;

const trigger = () => oneOf('transaction.recorded', 'customer.enrolled', 'customer.birthday');
const comparison = () => oneOf('eq', 'ne', 'gt', 'gte', 'lt', 'lte');
const membership = () => oneOf('in', 'not_in');
const amountField = () => oneOf('transaction.amount');
const countField = () =>
  oneOf('transaction.itemCount', 'customer.points', 'customer.transactionCount', 'customer.daysSinceEnrollment');
const wordField = () =>
  oneOf('transaction.productId', 'transaction.category', 'transaction.location', 'customer.language');

const condition = object(
  z.discriminatedUnion('field', [
    z.strictObject({ field: amountField(), operator: comparison(), value: amount({ ge: 0n, le: amountMax }) }),
    z.strictObject({ field: countField(), operator: comparison(), value: integer({ min: 0, max: countMax }) }),
    z.strictObject({
      field: wordField(),
      operator: membership(),
      value: list(text({ min: 1, max: 100, example: 'coffee' }), { min: 1, max: wordsMax }),
    }),
  ]),
).meta({ id: 'RuleCondition' });

const action = object(
  z.discriminatedUnion('type', [
    z.strictObject({ type: oneOf('award_points'), points: integer({ min: 1, max: 1_000_000 }) }),
    z.strictObject({ type: oneOf('multiply_points'), multiplier: amount({ ge: 1n, le: multiplierMax }) }),
    z.strictObject({ type: oneOf('issue_voucher'), voucherId: id() }),
    z.strictObject({ type: oneOf('notify_customer'), message: text({ min: 1, max: 255, example: 'Happy birthday!' }) }),
  ]),
).meta({ id: 'RuleAction' });

export const RulePayload = body({
  name: text({ min: 1, max: 255, example: 'Double points on coffee' }),
  enabled: boolean().default(true),
  trigger: trigger().meta({
    description: 'The fields `transaction.…` and `multiply_points` need `transaction.recorded`.',
  }),
  conditions: list(condition, { max: conditionsMax }).default([]),
  actions: list(action, { min: 1, max: actionsMax }),
  startsAt: optional(dateTime()),
  endsAt: optional(dateTime()).meta({ description: 'After `startsAt`.', examples: ['2027-02-28T23:59:59Z'] }),
  priority: integer({ min: 0, max: 1000, description: 'Higher comes first.' }).default(0),
}).meta({ id: 'RulePayload', description: 'At most 16,384 bytes as JSON.' });

const conditionRead = z
  .discriminatedUnion('field', [
    z.strictObject({ field: amountField(), operator: comparison(), value: money() }),
    z.strictObject({ field: countField(), operator: comparison(), value: z.int() }),
    z.strictObject({ field: wordField(), operator: membership(), value: z.array(z.string()) }),
  ])
  .meta({ id: 'RuleConditionRead' });

const actionRead = z
  .discriminatedUnion('type', [
    z.strictObject({ type: oneOf('award_points'), points: z.int() }),
    z.strictObject({ type: oneOf('multiply_points'), multiplier: z.number().meta({ examples: [2] }) }),
    z.strictObject({ type: oneOf('issue_voucher'), voucherId: recordId() }),
    z.strictObject({ type: oneOf('notify_customer'), message: z.string() }),
  ])
  .meta({ id: 'RuleActionRead' });

export const RuleRead = z
  .strictObject({
    id: recordId(),
    name: z.string(),
    enabled: z.boolean(),
    trigger: trigger(),
    conditions: z.array(conditionRead),
    actions: z.array(actionRead),
    startsAt: instant().nullable(),
    endsAt: instant().nullable(),
    priority: z.int(),
    createdAt: instant(),
    updatedAt: instant(),
  })
  .meta({ id: 'RuleRead' });
