import type { Handler } from '../../routes/route.ts';
import { ProgramPath } from '../../schemas/loyalty.ts';
import { RulePayload, type RuleRead } from '../../schemas/rules.ts';
import { renderRule, settingsOf } from './rule-view.ts';

export const createRuleShapes = { params: ProgramPath, body: RulePayload };

/** Adds a rule to a program. */
export const createRule: Handler<typeof createRuleShapes, typeof RuleRead> = async ({ params, body }, context) => {
  const request = { programId: params.programId, settings: settingsOf(body) };
  return {
    body: renderRule(await context.services.clients.loyalty.createRule(request, context.caller, context.changing())),
  };
};
