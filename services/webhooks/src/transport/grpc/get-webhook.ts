import type { UnaryHandler } from '#platform/grpc/server.ts';
import type { GetWebhookRequest, Webhook } from '#proto/webhooks/v1/webhooks.ts';
import { findWebhook } from '../../domain/change-webhook.ts';
import type { WebhookStore } from '../../domain/ports.ts';
import { merchantOf, renderWebhook } from './webhook-message.ts';

export function getWebhookRpc(webhooks: WebhookStore): UnaryHandler<GetWebhookRequest, Webhook> {
  return async (request, context) => renderWebhook(await findWebhook(webhooks, merchantOf(context), request.id));
}
