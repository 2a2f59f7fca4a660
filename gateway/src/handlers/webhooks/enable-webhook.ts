import type { Handler } from '../../routes/route.ts';
import { WebhookPath, type WebhookRead } from '../../schemas/webhooks.ts';
import { renderWebhook } from './webhook-view.ts';

export const enableWebhookShapes = { params: WebhookPath };

// The service waits for the merchant's endpoint, for at most 15 s.
const deadlineMs = 25_000;

/** Verifies the endpoint and switches the webhook on. */
export const enableWebhook: Handler<typeof enableWebhookShapes, typeof WebhookRead> = async ({ params }, context) => {
  const webhook = await context.services.clients.webhooks.enableWebhook({ id: params.webhookId }, context.caller, {
    deadlineMs,
  });
  return { body: renderWebhook(webhook) };
};
