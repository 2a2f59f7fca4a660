import type { Handler } from '../../routes/route.ts';
import { CreateWebhookPayload, type WebhookRead } from '../../schemas/webhooks.ts';
import { renderWebhook, settingsOf } from './webhook-view.ts';

export const createWebhookShapes = { body: CreateWebhookPayload };

/** Makes a webhook; it is disabled until its endpoint is verified. */
export const createWebhook: Handler<typeof createWebhookShapes, typeof WebhookRead> = async ({ body }, context) => {
  const webhook = await context.services.clients.webhooks.createWebhook(
    { settings: settingsOf(body) },
    context.caller,
    context.changing(),
  );
  return { body: renderWebhook(webhook) };
};
