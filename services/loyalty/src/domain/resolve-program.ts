import type { Caller } from '#platform/grpc/caller.ts';
import { isId } from '#platform/ids.ts';
import { refusal } from './errors.ts';
import { getProgram } from './get-program.ts';
import type { LoyaltyContext } from './ports.ts';
import type { Program } from './program.ts';

/**
 * A program as other services need it: a merchant finds its own only, an anonymous caller (a public balance check)
 * finds any. @throws AppError `forbidden` for an operator, `not_found`.
 */
export async function resolveProgram(
  context: Pick<LoyaltyContext, 'programs'>,
  caller: Caller,
  id: string,
): Promise<Program> {
  if (caller.kind !== 'anonymous') return getProgram(context, caller, id);
  const program = isId(id) ? await context.programs.getOfAnyMerchant(id) : undefined;
  if (program === undefined) throw refusal.programNotFound();
  return program;
}
