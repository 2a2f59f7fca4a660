import type { z } from 'zod';
import type { Handler } from '../../routes/route.ts';
import { type BasicWebhookRead, ListWebhooksQuery } from '../../schemas/webhooks.ts';
import { listAnswer, windowOf } from '../paging.ts';

export const listWebhooksShapes = { query: ListWebhooksQuery };

/** The merchant's webhooks, in short. */
export const listWebhooks: Handler<typeof listWebhooksShapes, z.ZodArray<typeof BasicWebhookRead>> = async (
  { query },
  context,
) => {
  const { webhooks, total } = await context.services.clients.webhooks.listWebhooks(
    { page: windowOf(query), query: query.q },
    context.caller,
    context.reading(),
  );
  const rows = webhooks.map(({ id, url, sharedSecret, enabled }) => ({ id, url, sharedSecret, enabled }));
  return listAnswer(rows, total, query, context);
};
