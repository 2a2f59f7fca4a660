import type { Caller } from '#platform/grpc/caller.ts';
import { isId } from '#platform/ids.ts';
import { refusal } from './errors.ts';
import { merchantOf } from './merchant-caller.ts';
import type { LoyaltyContext } from './ports.ts';
import type { Program } from './program.ts';

/** One of the merchant's programs. @throws AppError `forbidden`, `not_found`. */
export async function getProgram(
  context: Pick<LoyaltyContext, 'programs'>,
  caller: Caller,
  id: string,
): Promise<Program> {
  const merchantId = merchantOf(caller);
  const program = isId(id) ? await context.programs.get(merchantId, id) : undefined;
  if (program === undefined) throw refusal.programNotFound();
  return program;
}
