import type { Handler } from '../../routes/route.ts';
import { CreateTemplateRequest, type TemplateRead } from '../../schemas/templates.ts';
import { renderTemplate } from './template-view.ts';

export const createTemplateShapes = { body: CreateTemplateRequest };

/** Makes a pass template. */
export const createTemplate: Handler<typeof createTemplateShapes, typeof TemplateRead> = async ({ body }, context) => {
  const template = await context.services.clients.templates.createTemplate(body, context.caller, context.changing());
  return { body: renderTemplate(template) };
};
