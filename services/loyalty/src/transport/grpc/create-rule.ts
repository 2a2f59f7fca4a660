import type { UnaryHandler } from '#platform/grpc/server.ts';
import type { CreateRuleRequest, Rule } from '#proto/loyalty/v1/loyalty.ts';
import { createRule } from '../../domain/create-rule.ts';
import type { LoyaltyContext } from '../../domain/ports.ts';
import { toRuleDraft, toRuleMessage } from './rule-messages.ts';

export function createRuleRpc(context: LoyaltyContext): UnaryHandler<CreateRuleRequest, Rule> {
  return async ({ programId, settings }, { caller }) =>
    toRuleMessage(await createRule(context, caller, programId, toRuleDraft(settings)));
}
