import type { z } from 'zod';
import type { Handler } from '../../routes/route.ts';

/** The public schema as a page. */
export const getDocs: Handler<object, z.ZodString> = async (_input, { services }) => ({
  document: services.docsPage(),
  headers: {
    'Cache-Control': 'public, max-age=300',
    'Content-Security-Policy':
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  },
});
