import type { Caller } from '#platform/grpc/caller.ts';
import { isId } from '#platform/ids.ts';
import { refusal } from './errors.ts';
import { merchantOf } from './merchant-caller.ts';
import type { LoyaltyContext, RuleReference } from './ports.ts';
import type { Rule, RuleDraft } from './rule.ts';
import { toRuleSettings } from './rule-check.ts';

/** Replaces a rule's settings. @throws AppError `forbidden`, 422, `not_found`. */
export async function updateRule(
  context: LoyaltyContext,
  caller: Caller,
  { programId, id }: Omit<RuleReference, 'merchantId'>,
  draft: RuleDraft,
): Promise<Rule> {
  const merchantId = merchantOf(caller);
  if (!isId(programId) || !isId(id)) throw refusal.ruleNotFound();
  const settings = toRuleSettings(draft);
  const rule = await context.rules.replace({ merchantId, programId, id }, settings, context.now());
  if (rule === undefined) throw refusal.ruleNotFound();
  return rule;
}
