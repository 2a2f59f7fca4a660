import type { Handler } from '../../routes/route.ts';
import { ProgramPath, type ProgramRead } from '../../schemas/loyalty.ts';
import { renderProgram } from './program-view.ts';

export const getProgramShapes = { params: ProgramPath };

/** One program, whole. */
export const getProgram: Handler<typeof getProgramShapes, typeof ProgramRead> = async ({ params }, context) => {
  const program = await context.services.clients.loyalty.getProgram(
    { id: params.programId },
    context.caller,
    context.reading(),
  );
  return { body: renderProgram(program, context) };
};
