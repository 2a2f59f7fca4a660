import type { z } from 'zod';
import { pageScriptSource } from '../../openapi/page-script.ts';
import type { Handler } from '../../routes/route.ts';

const contentSecurityPolicy = [
  "default-src 'none'; style-src 'unsafe-inline'",
  `script-src ${pageScriptSource}`,
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
].join('; ');

/** The public schema as a page. */
export const getDocs: Handler<object, z.ZodString> = async (_input, { services }) => ({
  document: services.docsPage(),
  headers: {
    'Cache-Control': 'public, max-age=300',
    'Content-Security-Policy': contentSecurityPolicy,
  },
});
