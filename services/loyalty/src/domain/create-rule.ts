import type { Caller } from '#platform/grpc/caller.ts';
import { newId } from '#platform/ids.ts';
import { refusal } from './errors.ts';
import { getProgram } from './get-program.ts';
import type { LoyaltyContext } from './ports.ts';
import type { Rule, RuleDraft } from './rule.ts';
import { toRuleSettings } from './rule-check.ts';

/** Adds a rule to a program. @throws AppError `forbidden`, 422, `not_found`, `rule_limit_reached`. */
export async function createRule(
  context: LoyaltyContext,
  caller: Caller,
  programId: string,
  draft: RuleDraft,
): Promise<Rule> {
  const { merchantId } = await getProgram(context, caller, programId);
  const createdAt = context.now();
  const identity = { id: newId(createdAt.getTime()), merchantId, programId };
  const rule = { ...identity, ...toRuleSettings(draft), createdAt, updatedAt: createdAt };
  if (!(await context.rules.insert(rule, context.rulesMax))) throw refusal.ruleLimitReached(context.rulesMax);
  return rule;
}
