import { z } from 'zod';
import { recordId } from './common.ts';
import { body, id, integer, oneOf, optional } from './primitives.ts';

const Limits = z
  .strictObject({
    perMinute: z.int(),
    perHour: z.int(),
    perMonth: z.int().nullable().meta({ description: 'In a UTC month; null: without bound.' }),
  })
  .meta({ id: 'MeteringLimits' });

const planName = z.enum(['free', 'paid']);

export const KeyUsage = z
  .strictObject({
    plan: planName,
    limits: Limits,
    months: z.array(z.strictObject({ month: z.string().meta({ examples: ['2027-01'] }), calls: z.int() })).meta({
      description: 'UTC months, newest first, at most 13: the one under way, and those with calls before it.',
    }),
  })
  .meta({ id: 'KeyUsage' });

export const MerchantPath = z.object({ merchantId: id() });

const limit = (max: number) => optional(integer({ min: 1, max, description: "Left out: the plan's own." }));

export const SetPlanRequest = body({
  plan: oneOf('free', 'paid'),
  perMinute: limit(10_000_000),
  perHour: limit(600_000_000),
  perMonth: limit(1_000_000_000_000),
}).meta({ id: 'SetPlanRequest' });

export const MerchantPlanRead = z
  .strictObject({ merchantId: recordId(), plan: planName, limits: Limits })
  .meta({ id: 'MerchantPlanRead' });
