import type { UnaryHandler } from '#platform/grpc-server.ts';
import type { ProvisionMerchantRequest, User } from '#proto/identity/v1/identity.ts';
import type { IdentityContext } from '../../domain/ports.ts';
import { provisionMerchant } from '../../domain/provision-merchant.ts';
import { toUserMessage } from './messages.ts';

export function provisionMerchantRpc(context: IdentityContext): UnaryHandler<ProvisionMerchantRequest, User> {
  return async ({ email, password, name, company }, { caller }) =>
    toUserMessage(await provisionMerchant(context, caller, { email, password, name, company }));
}
