import type { z } from 'zod';
import type { Handler } from '../../routes/route.ts';
import { ProgramPath } from '../../schemas/loyalty.ts';
import { ListRulesQuery, type RuleRead } from '../../schemas/rules.ts';
import { listAnswer, windowOf } from '../paging.ts';
import { renderRule } from './rule-view.ts';

export const listRulesShapes = { params: ProgramPath, query: ListRulesQuery };

/** A program's rules. */
export const listRules: Handler<typeof listRulesShapes, z.ZodArray<typeof RuleRead>> = async (
  { params, query },
  context,
) => {
  const { rules, total } = await context.services.clients.loyalty.listRules(
    { programId: params.programId, page: windowOf(query) },
    context.caller,
    context.reading(),
  );
  return listAnswer(rules.map(renderRule), total, query, context);
};
