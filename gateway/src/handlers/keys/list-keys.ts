import type { z } from 'zod';
import type { Handler } from '../../routes/route.ts';
import { PagingQuery } from '../../schemas/common.ts';
import type { KeyRead } from '../../schemas/identity.ts';
import { listAnswer, windowOf } from '../paging.ts';
import { renderKey } from './key-view.ts';

export const listKeysShapes = { query: PagingQuery };

/** The merchant's API keys, without their secrets. */
export const listKeys: Handler<typeof listKeysShapes, z.ZodArray<typeof KeyRead>> = async ({ query }, context) => {
  const { keys, total } = await context.services.clients.identity.listKeys(
    { page: windowOf(query) },
    context.caller,
    context.reading(),
  );
  return listAnswer(keys.map(renderKey), Number(total), query, context);
};
