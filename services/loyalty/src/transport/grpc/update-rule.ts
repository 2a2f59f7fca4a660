import type { UnaryHandler } from '#platform/grpc/server.ts';
import type { Rule, UpdateRuleRequest } from '#proto/loyalty/v1/loyalty.ts';
import type { LoyaltyContext } from '../../domain/ports.ts';
import { updateRule } from '../../domain/update-rule.ts';
import { toRuleDraft, toRuleMessage } from './rule-messages.ts';

export function updateRuleRpc(context: LoyaltyContext): UnaryHandler<UpdateRuleRequest, Rule> {
  return async ({ programId, id, settings }, { caller }) =>
    toRuleMessage(await updateRule(context, caller, { programId, id }, toRuleDraft(settings)));
}
