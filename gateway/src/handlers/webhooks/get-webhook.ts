import type { Handler } from '../../routes/route.ts';
import { WebhookPath, type WebhookRead } from '../../schemas/webhooks.ts';
import { renderWebhook } from './webhook-view.ts';

export const getWebhookShapes = { params: WebhookPath };

/** One webhook. */
export const getWebhook: Handler<typeof getWebhookShapes, typeof WebhookRead> = async ({ params }, context) => {
  const webhook = await context.services.clients.webhooks.getWebhook(
    { id: params.webhookId },
    context.caller,
    context.reading(),
  );
  return { body: renderWebhook(webhook) };
};
