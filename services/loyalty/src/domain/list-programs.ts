import type { Caller } from '#platform/caller.ts';
import { isId } from '#platform/ids.ts';
import { merchantOf } from './merchant-caller.ts';
import type { LoyaltyContext, PageWindow } from './ports.ts';
import type { Program } from './program.ts';

const pageMax = 250;

/**
 * The merchant's programs, newest first, and how many there are in all.
 * @param page - bounded here again: at most 250; 0 stands for that
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
  const limit = page.limit > 0 ? Math.min(page.limit, pageMax) : pageMax;
  return context.programs.list(merchantId, { offset: Math.max(0, page.offset), limit }, id);
}
