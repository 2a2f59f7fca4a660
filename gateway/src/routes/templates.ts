import { z } from 'zod';
import { createTemplate, createTemplateShapes } from '../handlers/templates/create-template.ts';
import { deleteTemplate, deleteTemplateShapes } from '../handlers/templates/delete-template.ts';
import { getTemplate, getTemplateShapes } from '../handlers/templates/get-template.ts';
import { listTemplates, listTemplatesShapes } from '../handlers/templates/list-templates.ts';
import { Confirmation } from '../schemas/common.ts';
import { TemplateRead } from '../schemas/templates.ts';
import { type Route, route } from './route.ts';

const common = { tag: 'Pass templates', auth: 'bearer', public: true } as const;

export const templateRoutes: readonly Route[] = [
  route({
    ...common,
    method: 'post',
    path: '/v2/templates',
    operationId: 'createTemplate',
    summary: 'Make a pass template',
    scope: 'templates:write',
    request: createTemplateShapes,
    success: { status: 201, schema: TemplateRead, description: 'The template.' },
    errors: ['template_limit_reached'],
    handler: createTemplate,
  }),
  route({
    ...common,
    method: 'get',
    path: '/v2/templates',
    operationId: 'listTemplates',
    summary: 'List pass templates',
    scope: 'templates:read',
    request: listTemplatesShapes,
    success: {
      status: 200,
      schema: z.array(TemplateRead),
      description: 'The templates.',
      headers: ['X-Total-Count', 'Link'],
    },
    errors: [],
    handler: listTemplates,
  }),
  route({
    ...common,
    method: 'get',
    path: '/v2/templates/:templateId',
    operationId: 'getTemplate',
    summary: 'Get a pass template',
    scope: 'templates:read',
    request: getTemplateShapes,
    success: { status: 200, schema: TemplateRead, description: 'The template.' },
    errors: ['not_found'],
    handler: getTemplate,
  }),
  route({
    ...common,
    method: 'delete',
    path: '/v2/templates/:templateId',
    operationId: 'deleteTemplate',
    summary: 'Delete a pass template',
    scope: 'templates:write',
    request: deleteTemplateShapes,
    success: { status: 200, schema: Confirmation, description: 'It is deleted.' },
    errors: ['not_found'],
    handler: deleteTemplate,
  }),
];
