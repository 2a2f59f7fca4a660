import { unprocessable } from '#platform/errors.ts';
import type {
  RuleAction as ActionMessage,
  RuleCondition as ConditionMessage,
  Rule as RuleMessage,
  RuleSettings as SettingsMessage,
} from '#proto/loyalty/v1/loyalty.ts';
import type { Rule, RuleDraft } from '../../domain/rule.ts';
import type { RuleAction, RuleCondition } from '../../domain/rule-vocabulary.ts';

/** @throws AppError 422 when there are none. */
export function toRuleDraft(settings: SettingsMessage | undefined): RuleDraft {
  if (settings === undefined) throw unprocessable([{ loc: ['body'], msg: 'Field required', type: 'missing' }]);
  return {
    ...settings,
    conditions: settings.conditions.map(({ field, operator, number, words }) => ({
      field,
      operator,
      value: number === undefined ? words : Number(number),
    })),
    actions: settings.actions.map(toAction),
  };
}

/** What the type does not need is left out. */
function toAction({ type, ...rest }: ActionMessage): RuleDraft['actions'][number] {
  switch (type) {
    case 'award_points':
      return { type, points: rest.points };
    case 'multiply_points':
      return { type, multiplierHundredths: rest.multiplierHundredths };
    case 'issue_voucher':
      return { type, voucherId: rest.voucherId };
    case 'notify_customer':
      return { type, message: rest.message };
    default:
      return { type };
  }
}

export function toRuleMessage({ id, merchantId, programId, createdAt, updatedAt, ...settings }: Rule): RuleMessage {
  return {
    ...{ id, merchantId, programId, createdAt, updatedAt },
    settings: {
      ...settings,
      startsAt: settings.startsAt,
      endsAt: settings.endsAt,
      conditions: settings.conditions.map(toConditionMessage),
      actions: settings.actions.map((action: RuleAction) => ({ ...action })),
    },
  };
}

function toConditionMessage({ field, operator, value }: RuleCondition): ConditionMessage {
  return typeof value === 'number'
    ? { field, operator, number: BigInt(value), words: [] }
    : { field, operator, words: [...value] };
}
