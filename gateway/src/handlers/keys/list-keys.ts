import type { z } from 'zod';
import type { Handler } from '../../routes/route.ts';
import type { KeyRead } from '../../schemas/identity.ts';
import { renderKey } from './key-view.ts';

/** The merchant's API keys, without their secrets. */
export const listKeys: Handler<object, z.ZodArray<typeof KeyRead>> = async (_input, context) => {
  const { keys } = await context.services.clients.identity.listKeys({}, context.caller, context.reading());
  return { body: keys.map(renderKey) };
};
