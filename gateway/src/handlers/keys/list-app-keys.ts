import type { z } from 'zod';
import type { Handler } from '../../routes/route.ts';
import { PagingQuery } from '../../schemas/common.ts';
import type { AppKeyRead } from '../../schemas/identity.ts';
import { listAnswer, windowOf } from '../paging.ts';
import { renderAppKey } from './key-view.ts';

export const listAppKeysShapes = { query: PagingQuery };

/** The merchant's app keys, without their secrets. */
export const listAppKeys: Handler<typeof listAppKeysShapes, z.ZodArray<typeof AppKeyRead>> = async (
  { query },
  context,
) => {
  const { appKeys, total } = await context.services.clients.identity.listAppKeys(
    { page: windowOf(query) },
    context.caller,
    context.reading(),
  );
  return listAnswer(appKeys.map(renderAppKey), Number(total), query, context);
};
