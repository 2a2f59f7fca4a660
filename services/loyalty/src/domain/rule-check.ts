import { isId } from '#platform/ids.ts';
import { BodyCheck } from '#platform/validation.ts';
import type { RuleDraft, RuleSettings } from './rule.ts';
import { ofTransaction, type RuleField, ruleActionTypes, ruleFields, ruleTriggers } from './rule-vocabulary.ts';

export const conditionsMax = 20;
export const actionsMax = 10;
const wordsMax = 50;
/** As JSON in UTF-8, which is more than it takes on the wire: a page of `rulesMax` rules fits into one message of 4 MiB. */
export const ruleBytesMax = 16 * 1024;
const wordBounds = { min: 1, max: 100 };
const amountBounds = { min: 0, max: 100_000_000 };
const countBounds = { min: 0, max: 1_000_000_000 };
const pointsBounds = { min: 1, max: 1_000_000 };
const multiplierBounds = { min: 1, max: 10_000 };
const messageBounds = { min: 1, max: 255 };
const priorityBounds = { min: 0, max: 1000 };

/** @throws AppError 422 with every fault of the draft. */
export function toRuleSettings(draft: RuleDraft): RuleSettings {
  checkRule(draft);
  // The check has seen every word and value.
  return draft as RuleSettings;
}

function checkRule(draft: RuleDraft): void {
  const { startsAt, endsAt } = draft;
  const check = new BodyCheck()
    .text('name', draft.name, { min: 1, max: 255 })
    .oneOf('trigger', draft.trigger, ruleTriggers)
    .int('priority', draft.priority, priorityBounds)
    .rule('conditions', draft.conditions.length <= conditionsMax, `there are at most ${conditionsMax} conditions`)
    .rule(
      'actions',
      draft.actions.length >= 1 && draft.actions.length <= actionsMax,
      `there are 1 to ${actionsMax} actions`,
    )
    // Their words are what makes a rule long.
    .rule(
      'conditions',
      Buffer.byteLength(JSON.stringify(draft)) <= ruleBytesMax,
      `a rule has at most ${ruleBytesMax} bytes as JSON`,
    )
    .rule(
      'endsAt',
      startsAt === undefined || endsAt === undefined || startsAt < endsAt,
      'endsAt must be after startsAt',
    );
  draft.conditions.slice(0, conditionsMax).forEach((condition, index) => {
    checkCondition(check, `conditions.${index}`, condition, draft.trigger);
  });
  draft.actions.slice(0, actionsMax).forEach((action, index) => {
    checkAction(check, `actions.${index}`, action, draft.trigger);
  });
  check.done();
}

function checkCondition(check: BodyCheck, at: string, condition: RuleDraft['conditions'][number], trigger: string) {
  const { field, operator, value } = condition;
  check.oneOf(`${at}.field`, field, Object.keys(ruleFields));
  if (!Object.hasOwn(ruleFields, field)) return;
  fits(check, `${at}.field`, field, trigger);
  const { kind, operators } = ruleFields[field as RuleField];
  check.oneOf(`${at}.operator`, operator, operators);
  if (kind !== 'words') {
    check.int(`${at}.value`, Number(value), kind === 'amount' ? amountBounds : countBounds);
    return;
  }
  const words = Array.isArray(value) ? value.map(String) : [];
  check.rule(`${at}.value`, words.length >= 1 && words.length <= wordsMax, `there are 1 to ${wordsMax} words`);
  for (const [index, word] of words.slice(0, wordsMax).entries()) check.text(`${at}.value.${index}`, word, wordBounds);
}

function checkAction(check: BodyCheck, at: string, action: RuleDraft['actions'][number], trigger: string) {
  check.oneOf(`${at}.type`, action.type, ruleActionTypes);
  fits(check, `${at}.type`, action.type, trigger);
  switch (action.type) {
    case 'award_points':
      return check.int(`${at}.points`, Number(action.points), pointsBounds);
    case 'multiply_points':
      return check.int(`${at}.multiplier`, Number(action.multiplierHundredths), multiplierBounds);
    case 'issue_voucher':
      return check.rule(`${at}.voucherId`, isId(String(action.voucherId)), 'voucherId must be an id');
    default:
      return action.type === 'notify_customer'
        ? check.text(`${at}.message`, String(action.message ?? ''), messageBounds)
        : check;
  }
}

function fits(check: BodyCheck, at: string, word: string, trigger: string): void {
  const ok = !ofTransaction(word) || trigger === 'transaction.recorded';
  check.rule(at, ok, `${word} needs the trigger transaction.recorded`);
}
