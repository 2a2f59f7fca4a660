import type { UnaryHandler } from '#platform/grpc/server.ts';
import type { CreateWebhookRequest, Webhook } from '#proto/webhooks/v1/webhooks.ts';
import type { createWebhook } from '../../domain/create-webhook.ts';
import { merchantOf, parseSettings, renderWebhook } from './webhook-message.ts';

export function createWebhookRpc(
  create: ReturnType<typeof createWebhook>,
): UnaryHandler<CreateWebhookRequest, Webhook> {
  return async (request, context) => {
    const { settings, sharedSecret } = parseSettings(request.settings);
    return renderWebhook(await create(merchantOf(context), settings, sharedSecret));
  };
}
