import { escapeHtml } from '#platform/html.ts';
import type { Answer } from '../../routes/route.ts';

const style =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:4rem auto;padding:0 1rem;color:#1a1a1a;background:#fff}' +
  'h1{font-size:1.5rem}button{font:inherit;padding:.6rem 1.2rem;border:0;border-radius:.4rem;background:#1f4ed8;color:#fff;cursor:pointer}' +
  '@media(prefers-color-scheme:dark){body{color:#eee;background:#161616}}';

interface Page {
  readonly title: string;
  readonly text: string;
  /** A button that sends these fields to the page's own address. */
  readonly form?: { readonly button: string; readonly fields: Readonly<Record<string, string>> };
  readonly status?: number;
}

/** A page that needs nothing from elsewhere and runs no script. Its address holds a code, so nothing of it is kept. */
export function signupPage({ title, text, form, status }: Page): Answer<string> {
  return {
    text: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
${form === undefined ? '' : formOf(form)}
</main>
</body>
</html>
`,
    contentType: 'text/html; charset=utf-8',
    headers: {
      'Cache-Control': 'no-store',
      'Content-Security-Policy':
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    },
    ...(status !== undefined && { status }),
  };
}

// Relative, so that it holds behind a proxy that serves the gateway below a path.
function formOf({ button, fields }: NonNullable<Page['form']>): string {
  const inputs = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  );
  return `<form method="post" action="verify">${inputs.join('')}<button>${escapeHtml(button)}</button></form>`;
}
