import type { Handler } from '../../routes/route.ts';
import { TemplatePath, type TemplateRead } from '../../schemas/templates.ts';
import { renderTemplate } from './template-view.ts';

export const getTemplateShapes = { params: TemplatePath };

/** One pass template. */
export const getTemplate: Handler<typeof getTemplateShapes, typeof TemplateRead> = async ({ params }, context) => {
  const template = await context.services.clients.templates.getTemplate(
    { id: params.templateId },
    context.caller,
    context.reading(),
  );
  return { body: renderTemplate(template) };
};
