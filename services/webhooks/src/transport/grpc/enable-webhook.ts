import type { UnaryHandler } from '#platform/grpc/server.ts';
import type { EnableWebhookRequest, Webhook } from '#proto/webhooks/v1/webhooks.ts';
import type { enableWebhook } from '../../domain/enable-webhook.ts';
import { merchantOf, renderWebhook } from './webhook-message.ts';

export function enableWebhookRpc(
  enable: ReturnType<typeof enableWebhook>,
): UnaryHandler<EnableWebhookRequest, Webhook> {
  return async (request, context) => renderWebhook(await enable(merchantOf(context), request.id));
}
