import type { UnaryHandler } from '#platform/grpc/server.ts';
import type { UpdateWebhookRequest, Webhook } from '#proto/webhooks/v1/webhooks.ts';
import type { updateWebhook } from '../../domain/update-webhook.ts';
import { merchantOf, parseSettings, renderWebhook } from './webhook-message.ts';

export function updateWebhookRpc(
  update: ReturnType<typeof updateWebhook>,
): UnaryHandler<UpdateWebhookRequest, Webhook> {
  return async (request, context) => {
    const { settings, sharedSecret } = parseSettings(request.settings);
    return renderWebhook(await update(merchantOf(context), request.id, settings, sharedSecret));
  };
}
