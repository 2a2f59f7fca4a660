import { expect, test } from '@jest/globals';
import { limitsOf, usualPlan } from './plan.ts';
import { monthOf } from './usage.ts';

const defaults = { freePerMonth: 10_000, perMinute: 60, perHour: 1_000 };

test('the free plan is bounded by month, the paid one is not', () => {
  expect(limitsOf(usualPlan('m'), defaults)).toEqual({ perMinute: 60, perHour: 1_000, perMonth: 10_000 });
  expect(limitsOf({ merchantId: 'm', plan: 'paid' }, defaults)).toEqual({ perMinute: 60, perHour: 1_000 });
});

test("a merchant's own limits win over the plan's", () => {
  const own = { perMinute: 1, perHour: 2, perMonth: 3 };
  for (const plan of ['free', 'paid'] as const)
    expect(limitsOf({ merchantId: 'm', plan, ...own }, defaults)).toEqual(own);
});

test('months begin and end in UTC', () => {
  expect(monthOf(new Date('2026-12-31T23:59:59.999Z'))).toBe('2026-12');
  expect(monthOf(new Date('2027-01-01T00:00:00.000Z'))).toBe('2027-01');
  expect(monthOf(new Date('2027-01-01T00:30:00+01:00'))).toBe('2026-12');
});
