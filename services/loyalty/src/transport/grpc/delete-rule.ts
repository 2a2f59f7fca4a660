import type { UnaryHandler } from '#platform/grpc/server.ts';
import type { DeleteRuleRequest, DeleteRuleResponse } from '#proto/loyalty/v1/loyalty.ts';
import { deleteRule } from '../../domain/delete-rule.ts';
import type { LoyaltyContext } from '../../domain/ports.ts';

export function deleteRuleRpc(context: LoyaltyContext): UnaryHandler<DeleteRuleRequest, DeleteRuleResponse> {
  return async (where, { caller }) => {
    await deleteRule(context, caller, where);
    return {};
  };
}
