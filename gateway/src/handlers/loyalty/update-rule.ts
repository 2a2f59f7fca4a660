import type { Handler } from '../../routes/route.ts';
import { RulePath, RulePayload, type RuleRead } from '../../schemas/rules.ts';
import { renderRule, settingsOf } from './rule-view.ts';

export const updateRuleShapes = { params: RulePath, body: RulePayload };

/** Replaces a rule's settings. */
export const updateRule: Handler<typeof updateRuleShapes, typeof RuleRead> = async ({ params, body }, context) => {
  const request = { programId: params.programId, id: params.ruleId, settings: settingsOf(body) };
  return {
    body: renderRule(await context.services.clients.loyalty.updateRule(request, context.caller, context.changing())),
  };
};
