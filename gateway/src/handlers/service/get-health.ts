import type { z } from 'zod';
import type { Handler } from '../../routes/route.ts';

/** The process lives. */
export const getHealth: Handler<object, z.ZodString> = async () => ({
  text: 'ok',
  contentType: 'text/plain; charset=utf-8',
});
