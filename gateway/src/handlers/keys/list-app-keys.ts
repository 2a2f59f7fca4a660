import type { z } from 'zod';
import type { Handler } from '../../routes/route.ts';
import type { AppKeyRead } from '../../schemas/identity.ts';
import { renderAppKey } from './key-view.ts';

/** The merchant's app keys, without their secrets. */
export const listAppKeys: Handler<object, z.ZodArray<typeof AppKeyRead>> = async (_input, context) => {
  const { appKeys } = await context.services.clients.identity.listAppKeys({}, context.caller, context.reading());
  return { body: appKeys.map(renderAppKey) };
};
