import type { z } from 'zod';
import type { Handler } from '../../routes/route.ts';
import { type BasicProgramRead, ListProgramsQuery } from '../../schemas/loyalty.ts';
import { listAnswer, windowOf } from '../paging.ts';
import { shareUrlOf } from './program-view.ts';

export const listProgramsShapes = { query: ListProgramsQuery };

/** The merchant's programs, in short. */
export const listPrograms: Handler<typeof listProgramsShapes, z.ZodArray<typeof BasicProgramRead>> = async (
  { query },
  context,
) => {
  const { programs, total } = await context.services.clients.loyalty.listPrograms(
    { page: windowOf(query), programId: query.programId },
    context.caller,
    context.reading(),
  );
  const rows = programs.map(({ id, name }) => ({ id, name, shareUrl: shareUrlOf(id, context) }));
  return listAnswer(rows, total, query, context);
};
