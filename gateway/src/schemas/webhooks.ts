import { z } from 'zod';
import { instant, nullableText, pagingFields, recordId, searchText } from './common.ts';
import { body, boolean, httpUrl, id, list, optional, text } from './primitives.ts';

export const WebhookPath = z.object({ webhookId: id('The webhook.') });

export const ListWebhooksQuery = z.object({ ...pagingFields, q: searchText('A part of the URL.') });

const listMax = 500;

/** One payload for create and for update, where an absent secret keeps what was. */
export const CreateWebhookPayload = body({
  url: httpUrl(),
  sharedSecret: optional(
    text({ min: 8, max: 255, description: 'Signs every delivery; made by the service when absent.' }),
  ),
  allPassTemplates: optional(boolean('True unless `allowedTemplates` names some.')),
  allowedTemplates: optional(list(id(), { max: listMax })),
  allEventTypes: optional(boolean('True unless `allowedEvents` names some.')),
  allowedEvents: optional(list(text({ min: 1, max: 100, example: 'giftcard.redeemed' }), { max: listMax })),
}).meta({ id: 'CreateWebhookPayload' });

const basicFields = {
  id: recordId(),
  url: z.string().meta({ format: 'uri' }),
  sharedSecret: z.string(),
  enabled: z.boolean(),
};

export const BasicWebhookRead = z.strictObject(basicFields).meta({ id: 'BasicWebhookRead' });

export const WebhookRead = z
  .strictObject({
    ...basicFields,
    allPassTemplates: z.boolean(),
    allowedTemplates: z.array(recordId()),
    allEventTypes: z.boolean(),
    allowedEvents: z.array(z.string()),
    createdAt: instant(),
    updatedAt: instant(),
    disabledReason: nullableText(),
  })
  .meta({ id: 'WebhookRead' });
