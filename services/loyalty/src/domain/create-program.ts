import type { Caller } from '#platform/grpc/caller.ts';
import { newId } from '#platform/ids.ts';
import { refusal } from './errors.ts';
import { merchantOf } from './merchant-caller.ts';
import type { LoyaltyContext } from './ports.ts';
import { composeProgram, type Program, type ProgramDraft } from './program.ts';

/** Makes a program. @throws AppError `forbidden`, 422, `program_limit_reached`. */
export async function createProgram(context: LoyaltyContext, caller: Caller, draft: ProgramDraft): Promise<Program> {
  const merchantId = merchantOf(caller);
  const createdAt = context.now();
  const program = composeProgram({ id: newId(createdAt.getTime()), merchantId, createdAt }, draft);
  const inserted = await context.programs.insert(program, context.programsMax);
  if (!inserted) throw refusal.programLimitReached(context.programsMax);
  return program;
}
