import type { z } from 'zod';
import type { Handler } from '../../routes/route.ts';

/** 503 before the start is complete and once a stop has begun. */
export const getReadiness: Handler<object, z.ZodString> = async (_input, { services }) => {
  const ready = services.isReady();
  return {
    text: ready ? 'ready' : 'not ready',
    contentType: 'text/plain; charset=utf-8',
    status: ready ? 200 : 503,
  };
};
