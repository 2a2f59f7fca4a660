import type { Handler } from '../../routes/route.ts';
import type { Confirmation } from '../../schemas/common.ts';
import { WebhookPath } from '../../schemas/webhooks.ts';

export const deleteWebhookShapes = { params: WebhookPath };

/** Deletes a webhook. */
export const deleteWebhook: Handler<typeof deleteWebhookShapes, typeof Confirmation> = async ({ params }, context) => {
  await context.services.clients.webhooks.deleteWebhook({ id: params.webhookId }, context.caller, context.changing());
  return { body: { success: true, message: 'The webhook is deleted.' } };
};
