import type { z } from 'zod';
import type { Handler } from '../../routes/route.ts';

/** The public schema as a page. */
export const getDocs: Handler<object, z.ZodString> = async (_input, { services }) => ({
  text: services.docsPage(),
  contentType: 'text/html; charset=utf-8',
  headers: {
    'Cache-Control': 'public, max-age=300',
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  },
});
