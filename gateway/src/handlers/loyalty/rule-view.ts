import type { z } from 'zod';
import type { Rule, RuleAction, RuleCondition, RuleSettings } from '#proto/loyalty/v1/loyalty.ts';
import type { RulePayload, RuleRead } from '../../schemas/rules.ts';
import { formatMinorUnits } from '../../validation/decimal.ts';
import { iso, isoAlways, present } from '../render.ts';

type Payload = z.output<typeof RulePayload>;
type View = z.input<typeof RuleRead>;

/** A payload as loyalty takes it. */
export function settingsOf({ conditions, actions, ...rest }: Payload): RuleSettings {
  return {
    ...rest,
    conditions: conditions.map(({ field, operator, value }) =>
      Array.isArray(value) ? { field, operator, words: value } : { field, operator, number: BigInt(value), words: [] },
    ),
    actions: actions.map((action) =>
      action.type === 'multiply_points'
        ? { type: action.type, multiplierHundredths: Number(action.multiplier) }
        : action,
    ),
    startsAt: rest.startsAt,
    endsAt: rest.endsAt,
  };
}

export function renderRule({ id, settings, createdAt, updatedAt }: Rule): View {
  const { conditions, actions, startsAt, endsAt, trigger, ...rest } = present(settings, 'settings');
  return {
    id,
    name: rest.name,
    enabled: rest.enabled,
    trigger: trigger as View['trigger'],
    conditions: conditions.map(renderCondition),
    actions: actions.map(renderAction),
    startsAt: iso(startsAt),
    endsAt: iso(endsAt),
    priority: rest.priority,
    createdAt: isoAlways(createdAt, 'createdAt'),
    updatedAt: isoAlways(updatedAt, 'updatedAt'),
  };
}

function renderCondition({ field, operator, number, words }: RuleCondition): View['conditions'][number] {
  const value =
    field === 'transaction.amount' ? formatMinorUnits(number ?? 0n) : number === undefined ? words : Number(number);
  return { field, operator, value } as View['conditions'][number];
}

function renderAction({ type, points, multiplierHundredths, voucherId, message }: RuleAction): View['actions'][number] {
  const multiplier = multiplierHundredths === undefined ? undefined : multiplierHundredths / 100;
  const given = Object.entries({ points, multiplier, voucherId, message }).filter(([, value]) => value !== undefined);
  return { type, ...Object.fromEntries(given) } as View['actions'][number];
}
