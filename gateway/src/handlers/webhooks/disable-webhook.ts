import type { Handler } from '../../routes/route.ts';
import { WebhookPath, type WebhookRead } from '../../schemas/webhooks.ts';
import { renderWebhook } from './webhook-view.ts';

export const disableWebhookShapes = { params: WebhookPath };

/** Switches a webhook off. */
export const disableWebhook: Handler<typeof disableWebhookShapes, typeof WebhookRead> = async ({ params }, context) => {
  const webhook = await context.services.clients.webhooks.disableWebhook(
    { id: params.webhookId },
    context.caller,
    context.changing(),
  );
  return { body: renderWebhook(webhook) };
};
