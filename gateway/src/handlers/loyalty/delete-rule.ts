import type { Handler } from '../../routes/route.ts';
import type { Confirmation } from '../../schemas/common.ts';
import { RulePath } from '../../schemas/rules.ts';

export const deleteRuleShapes = { params: RulePath };

/** Takes a rule out of its program. */
export const deleteRule: Handler<typeof deleteRuleShapes, typeof Confirmation> = async ({ params }, context) => {
  const request = { programId: params.programId, id: params.ruleId };
  await context.services.clients.loyalty.deleteRule(request, context.caller, context.changing());
  return { body: { success: true, message: 'The rule is deleted.' } };
};
