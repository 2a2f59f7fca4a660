import type { Caller } from '#platform/grpc/caller.ts';
import { isId } from '#platform/ids.ts';
import { refusal } from './errors.ts';
import { merchantOf } from './merchant-caller.ts';
import type { TemplatesContext } from './ports.ts';

/** Deletes one of the merchant's templates. @throws AppError `forbidden`, `not_found`. */
export async function deleteTemplate(
  context: Pick<TemplatesContext, 'templates'>,
  caller: Caller,
  id: string,
): Promise<void> {
  const merchantId = merchantOf(caller);
  const deleted = isId(id) && (await context.templates.delete(merchantId, id));
  if (!deleted) throw refusal.templateNotFound();
}
