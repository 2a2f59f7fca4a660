import type { Caller } from '#platform/grpc/caller.ts';
import { merchantOf } from './merchant-caller.ts';
import type { PageWindow, TemplatesContext } from './ports.ts';
import type { Template } from './template.ts';

const pageMax = 250;

/**
 * The merchant's templates, newest first, and how many there are in all.
 * @param page - bounded here again: at most 250; 0 stands for that
 * @throws AppError `forbidden`.
 */
export async function listTemplates(
  context: Pick<TemplatesContext, 'templates'>,
  caller: Caller,
  page: PageWindow,
): Promise<{ templates: Template[]; total: number }> {
  const limit = page.limit > 0 ? Math.min(page.limit, pageMax) : pageMax;
  return context.templates.list(merchantOf(caller), { offset: Math.max(0, page.offset), limit });
}
