import type { z } from 'zod';
import type { Handler } from '../../routes/route.ts';
import { PagingQuery } from '../../schemas/common.ts';
import type { TemplateRead } from '../../schemas/templates.ts';
import { listAnswer, windowOf } from '../paging.ts';
import { renderTemplate } from './template-view.ts';

export const listTemplatesShapes = { query: PagingQuery };

/** The merchant's pass templates. */
export const listTemplates: Handler<typeof listTemplatesShapes, z.ZodArray<typeof TemplateRead>> = async (
  { query },
  context,
) => {
  const { templates, total } = await context.services.clients.templates.listTemplates(
    { page: windowOf(query) },
    context.caller,
    context.reading(),
  );
  return listAnswer(templates.map(renderTemplate), total, query, context);
};
