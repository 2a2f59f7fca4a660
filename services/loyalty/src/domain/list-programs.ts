import type { Caller } from '#platform/grpc/caller.ts';
import { isId } from '#platform/ids.ts';
import { merchantOf } from './merchant-caller.ts';
import { boundedPage } from './page.ts';
import type { LoyaltyContext, PageWindow } from './ports.ts';
import type { Program } from './program.ts';

/**
 * The merchant's programs, newest first, and how many there are in all.
 * @param id - narrows the answer to this program
 * @throws AppError `forbidden`.
 */
export async function listPrograms(
  context: Pick<LoyaltyContext, 'programs'>,
  caller: Caller,
  page: PageWindow,
  id?: string,
): Promise<{ programs: Program[]; total: number }> {
  const merchantId = merchantOf(caller);
  if (id !== undefined && !isId(id)) return { programs: [], total: 0 };
  return context.programs.list(merchantId, boundedPage(page), id);
}
