import type { UnaryHandler } from '#platform/grpc/server.ts';
import type { ListWebhooksRequest, ListWebhooksResponse } from '#proto/webhooks/v1/webhooks.ts';
import type { WebhookStore } from '../../domain/ports.ts';
import { merchantOf, renderWebhook } from './webhook-message.ts';

const limitMax = 250;

export function listWebhooksRpc(webhooks: WebhookStore): UnaryHandler<ListWebhooksRequest, ListWebhooksResponse> {
  return async ({ page, query }, context) => {
    const offset = Math.max(0, page?.offset ?? 0);
    const limit = Math.min(page?.limit || limitMax, limitMax);
    const found = await webhooks.list(merchantOf(context), { offset, limit }, query);
    return { webhooks: found.webhooks.map(renderWebhook), total: found.total };
  };
}
