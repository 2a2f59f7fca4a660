import { z } from 'zod';
import { createWebhook, createWebhookShapes } from '../handlers/webhooks/create-webhook.ts';
import { deleteWebhook, deleteWebhookShapes } from '../handlers/webhooks/delete-webhook.ts';
import { disableWebhook, disableWebhookShapes } from '../handlers/webhooks/disable-webhook.ts';
import { enableWebhook, enableWebhookShapes } from '../handlers/webhooks/enable-webhook.ts';
import { getWebhook, getWebhookShapes } from '../handlers/webhooks/get-webhook.ts';
import { listWebhooks, listWebhooksShapes } from '../handlers/webhooks/list-webhooks.ts';
import { updateWebhook, updateWebhookShapes } from '../handlers/webhooks/update-webhook.ts';
import { Confirmation } from '../schemas/common.ts';
import { BasicWebhookRead, WebhookRead } from '../schemas/webhooks.ts';
import { type Route, route } from './route.ts';

const common = { tag: 'Webhooks', auth: 'bearer', public: true } as const;

export const webhookRoutes: readonly Route[] = [
  route({
    ...common,
    method: 'post',
    path: '/v2/webhooks',
    operationId: 'createWebhook',
    summary: 'Make a webhook',
    description: 'It is disabled until `enable` has verified its endpoint.',
    scope: 'webhooks:write',
    request: createWebhookShapes,
    success: { status: 201, schema: WebhookRead, description: 'The webhook.' },
    errors: ['webhook_limit_reached'],
    handler: createWebhook,
  }),
  route({
    ...common,
    method: 'get',
    path: '/v2/webhooks',
    operationId: 'listWebhooks',
    summary: 'List webhooks',
    scope: 'webhooks:read',
    request: listWebhooksShapes,
    storable: false,
    success: {
      status: 200,
      schema: z.array(BasicWebhookRead),
      description: 'The webhooks, in short.',
      headers: ['X-Total-Count', 'Link'],
    },
    errors: [],
    handler: listWebhooks,
  }),
  route({
    ...common,
    method: 'get',
    path: '/v2/webhooks/:webhookId',
    operationId: 'getWebhook',
    summary: 'Get a webhook',
    scope: 'webhooks:read',
    request: getWebhookShapes,
    storable: false,
    success: { status: 200, schema: WebhookRead, description: 'The webhook.' },
    errors: ['not_found'],
    handler: getWebhook,
  }),
  route({
    ...common,
    method: 'put',
    path: '/v2/webhooks/:webhookId',
    operationId: 'updateWebhook',
    summary: "Replace a webhook's settings",
    scope: 'webhooks:write',
    request: updateWebhookShapes,
    success: { status: 200, schema: WebhookRead, description: 'The webhook.' },
    errors: ['not_found', 'conflict'],
    handler: updateWebhook,
  }),
  route({
    ...common,
    method: 'delete',
    path: '/v2/webhooks/:webhookId',
    operationId: 'deleteWebhook',
    summary: 'Delete a webhook',
    scope: 'webhooks:write',
    request: deleteWebhookShapes,
    success: { status: 200, schema: Confirmation, description: 'It is deleted.' },
    errors: ['not_found'],
    handler: deleteWebhook,
  }),
  route({
    ...common,
    method: 'post',
    path: '/v2/webhooks/:webhookId/enable',
    operationId: 'enableWebhook',
    summary: "Verify a webhook's endpoint and switch it on",
    scope: 'webhooks:write',
    request: enableWebhookShapes,
    success: { status: 200, schema: WebhookRead, description: 'The webhook, enabled.' },
    errors: ['not_found', 'verification_failed'],
    handler: enableWebhook,
  }),
  route({
    ...common,
    method: 'post',
    path: '/v2/webhooks/:webhookId/disable',
    operationId: 'disableWebhook',
    summary: 'Switch a webhook off',
    scope: 'webhooks:write',
    request: disableWebhookShapes,
    success: { status: 200, schema: WebhookRead, description: 'The webhook, disabled.' },
    errors: ['not_found'],
    handler: disableWebhook,
  }),
];
