import type { Caller } from '#platform/grpc/caller.ts';
import { getProgram } from './get-program.ts';
import { boundedPage } from './page.ts';
import type { LoyaltyContext, PageWindow } from './ports.ts';
import type { Rule } from './rule.ts';

/** A program's rules, the highest priority first, and how many there are in all. @throws AppError `forbidden`, `not_found`. */
export async function listRules(
  context: Pick<LoyaltyContext, 'programs' | 'rules'>,
  caller: Caller,
  programId: string,
  page: PageWindow,
): Promise<{ rules: Rule[]; total: number }> {
  const { merchantId } = await getProgram(context, caller, programId);
  return context.rules.list(merchantId, programId, boundedPage(page));
}
