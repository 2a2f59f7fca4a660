import type { Caller } from '#platform/grpc/caller.ts';
import { newId } from '#platform/ids.ts';
import { refusal } from './errors.ts';
import { merchantOf } from './merchant-caller.ts';
import type { TemplatesContext } from './ports.ts';
import { composeTemplate, type Template, type TemplateDraft } from './template.ts';

/** Makes a template. @throws AppError `forbidden`, 422, `template_limit_reached`. */
export async function createTemplate(
  context: TemplatesContext,
  caller: Caller,
  draft: TemplateDraft,
): Promise<Template> {
  const merchantId = merchantOf(caller);
  const createdAt = context.now();
  const template = composeTemplate({ id: newId(createdAt.getTime()), merchantId, createdAt }, draft);
  const inserted = await context.templates.insert(template, context.templatesMax);
  if (!inserted) throw refusal.templateLimitReached(context.templatesMax);
  return template;
}
