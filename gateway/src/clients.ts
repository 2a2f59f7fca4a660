import { createRpcClient } from '#platform/grpc/client.ts';
import { GiftCardsServiceClient } from '#proto/giftcards/v1/giftcards.ts';
import { IdentityServiceClient } from '#proto/identity/v1/identity.ts';
import { LoyaltyServiceClient } from '#proto/loyalty/v1/loyalty.ts';
import { TemplatesServiceClient } from '#proto/templates/v1/templates.ts';
import { WebhooksServiceClient } from '#proto/webhooks/v1/webhooks.ts';
import type { GatewayConfig } from './config.ts';

/** Connects to every service; connections are made when first used. */
export function createClients({ addresses, callerSecret }: GatewayConfig) {
  return {
    identity: createRpcClient(IdentityServiceClient, addresses.identity, callerSecret),
    loyalty: createRpcClient(LoyaltyServiceClient, addresses.loyalty, callerSecret),
    templates: createRpcClient(TemplatesServiceClient, addresses.templates, callerSecret),
    giftcards: createRpcClient(GiftCardsServiceClient, addresses.giftcards, callerSecret),
    webhooks: createRpcClient(WebhooksServiceClient, addresses.webhooks, callerSecret),
  };
}

export type Clients = ReturnType<typeof createClients>;

export function closeClients(clients: Clients): void {
  for (const client of Object.values(clients)) client.close();
}
