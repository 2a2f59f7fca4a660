import type { Handler } from '../../routes/route.ts';
import type { Confirmation } from '../../schemas/common.ts';
import { TemplatePath } from '../../schemas/templates.ts';

export const deleteTemplateShapes = { params: TemplatePath };

/** Deletes a pass template. */
export const deleteTemplate: Handler<typeof deleteTemplateShapes, typeof Confirmation> = async (
  { params },
  context,
) => {
  await context.services.clients.templates.deleteTemplate(
    { id: params.templateId },
    context.caller,
    context.changing(),
  );
  return { body: { success: true, message: 'The template is deleted.' } };
};
