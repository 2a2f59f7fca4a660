import type { UnaryHandler } from '#platform/grpc/server.ts';
import type { DisableWebhookRequest, Webhook } from '#proto/webhooks/v1/webhooks.ts';
import type { disableWebhook } from '../../domain/disable-webhook.ts';
import { merchantOf, renderWebhook } from './webhook-message.ts';

export function disableWebhookRpc(
  disable: ReturnType<typeof disableWebhook>,
): UnaryHandler<DisableWebhookRequest, Webhook> {
  return async (request, context) => renderWebhook(await disable(merchantOf(context), request.id));
}
