import type { Handler } from '../../routes/route.ts';
import { CreateWebhookPayload, WebhookPath, type WebhookRead } from '../../schemas/webhooks.ts';
import { renderWebhook, settingsOf } from './webhook-view.ts';

export const updateWebhookShapes = { params: WebhookPath, body: CreateWebhookPayload };

/** Replaces a webhook's settings. */
export const updateWebhook: Handler<typeof updateWebhookShapes, typeof WebhookRead> = async (
  { params, body },
  context,
) => {
  const webhook = await context.services.clients.webhooks.updateWebhook(
    { id: params.webhookId, settings: settingsOf(body) },
    context.caller,
    context.changing(),
  );
  return { body: renderWebhook(webhook) };
};
