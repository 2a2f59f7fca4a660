import type { UnaryHandler } from '#platform/grpc/server.ts';
import type { DeleteWebhookRequest, DeleteWebhookResponse } from '#proto/webhooks/v1/webhooks.ts';
import type { deleteWebhook } from '../../domain/delete-webhook.ts';
import { merchantOf } from './webhook-message.ts';

export function deleteWebhookRpc(
  remove: ReturnType<typeof deleteWebhook>,
): UnaryHandler<DeleteWebhookRequest, DeleteWebhookResponse> {
  return async (request, context) => {
    await remove(merchantOf(context), request.id);
    return {};
  };
}
