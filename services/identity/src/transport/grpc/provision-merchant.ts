import type { UnaryHandler } from '#platform/grpc/server.ts';
import type { ProvisionMerchantRequest, User } from '#proto/identity/v1/identity.ts';
import type { IdentityContext } from '../../domain/ports.ts';
import { provisionMerchant } from '../../domain/provision-merchant.ts';
import { toUserMessage } from './messages.ts';
import { toPlanChange } from './set-merchant-plan.ts';

export function provisionMerchantRpc(context: IdentityContext): UnaryHandler<ProvisionMerchantRequest, User> {
  return async ({ email, password, name, company, admin = false, plan }, { caller }) => {
    const command = { email, password, name, company, admin, plan: plan && toPlanChange(plan) };
    return toUserMessage(await provisionMerchant(context, caller, command));
  };
}
