import type { Caller } from '#platform/grpc/caller.ts';
import { isId } from '#platform/ids.ts';
import { refusal } from './errors.ts';
import { merchantOf } from './merchant-caller.ts';
import type { TemplatesContext } from './ports.ts';
import type { Template } from './template.ts';

/** One of the merchant's templates. @throws AppError `forbidden`, `not_found`. */
export async function getTemplate(
  context: Pick<TemplatesContext, 'templates'>,
  caller: Caller,
  id: string,
): Promise<Template> {
  const merchantId = merchantOf(caller);
  const template = isId(id) ? await context.templates.get(merchantId, id) : undefined;
  if (template === undefined) throw refusal.templateNotFound();
  return template;
}
