import type { UnaryHandler } from '#platform/grpc/server.ts';
import type { ListRulesRequest, ListRulesResponse } from '#proto/loyalty/v1/loyalty.ts';
import { listRules } from '../../domain/list-rules.ts';
import type { LoyaltyContext } from '../../domain/ports.ts';
import { toRuleMessage } from './rule-messages.ts';

export function listRulesRpc(context: LoyaltyContext): UnaryHandler<ListRulesRequest, ListRulesResponse> {
  return async ({ programId, page }, { caller }) => {
    const { rules, total } = await listRules(context, caller, programId, page ?? { offset: 0, limit: 0 });
    return { rules: rules.map(toRuleMessage), total };
  };
}
