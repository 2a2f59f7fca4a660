import { escapeHtml } from '#platform/html.ts';
import type { OpenApi } from './document.ts';
import type { Operation, Parameter } from './operation.ts';
import { pageStyle } from './page-style.ts';

/** Renders the schema as one page that needs nothing from elsewhere: no script, no font, no image. */
export function renderPage(document: OpenApi): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const sections = document.tags.map(({ name }) => ({
    name,
    entries: operations.filter(({ operation }) => operation.tags.includes(name)),
  }));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(document.info.title)}</title>
<style>${pageStyle}</style>
</head>
<body>
<nav aria-label="Operations">
<p class="brand">${escapeHtml(document.info.title)} <span>${escapeHtml(document.info.version)}</span></p>
${sections.map(({ name, entries }) => `<h2>${escapeHtml(name)}</h2><ul>${entries.map(navItem).join('')}</ul>`).join('\n')}
</nav>
<main>
<header>
<h1>${escapeHtml(document.info.title)}</h1>
<p>${inline(document.info.description)}</p>
<p>Base address <code>${escapeHtml(document.servers[0]?.url ?? '')}</code> · send <code>Authorization: Bearer &lt;ACCESS_TOKEN&gt;</code> ·
<a href="/openapi.public.json?version=${escapeHtml(document.info.version)}">OpenAPI 3.1 document</a></p>
</header>
${sections.map((section) => `<section><h2>${escapeHtml(section.name)}</h2>${section.entries.map((entry) => article(entry, document)).join('\n')}</section>`).join('\n')}
</main>
</body>
</html>
`;
}

interface Entry {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

const navItem = ({ method, operation }: Entry) =>
  `<li><a href="#${escapeHtml(operation.operationId)}"><b class="${method}">${method.toUpperCase()}</b> ${escapeHtml(operation.summary)}</a></li>`;

function article({ path, method, operation }: Entry, document: OpenApi): string {
  const body = operation.requestBody;
  const media = Object.values(body?.content ?? {})[0];
  return `<article id="${escapeHtml(operation.operationId)}">
<h3><b class="${method}">${method.toUpperCase()}</b> <code>${escapeHtml(path)}</code></h3>
<p class="summary">${escapeHtml(operation.summary)}.${operation.security?.length === 0 ? ' <em>No token needed.</em>' : ''}</p>
${operation.description === undefined ? '' : `<p>${inline(operation.description)}</p>`}
<pre class="curl">${escapeHtml(curl({ path, method, operation }, document))}</pre>
${parameterTable(operation.parameters ?? [])}
${media === undefined ? '' : `<h4>Body${body?.required === true ? '' : ' (optional)'}</h4>${example(media.example)}`}
<h4>Answers</h4>
${Object.entries(operation.responses).map(response).join('\n')}
</article>`;
}

function curl({ path, method, operation }: Entry, document: OpenApi): string {
  const lines = [`curl -X ${method.toUpperCase()} '${document.servers[0]?.url ?? ''}${path}'`];
  if (operation.security?.length !== 0) lines.push(`-H 'Authorization: Bearer <ACCESS_TOKEN>'`);
  const media = operation.requestBody?.content['application/json'];
  if (media !== undefined) {
    lines.push(`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(media.example)}'`);
  }
  return lines.join(' \\\n  ');
}

function parameterTable(parameters: readonly Parameter[]): string {
  if (parameters.length === 0) return '';
  const rows = parameters.map(
    (parameter) =>
      `<tr><td><code>${escapeHtml(parameter.name)}</code>${parameter.required ? ' <em>required</em>' : ''}</td>` +
      `<td>${parameter.in}</td><td>${escapeHtml(bounds(parameter))}</td><td>${inline(parameter.description ?? '')}</td></tr>`,
  );
  return `<h4>Parameters</h4><table><thead><tr><th>Name</th><th>In</th><th>Value</th><th></th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

function bounds({ schema }: Parameter): string {
  if (schema.enum !== undefined) return schema.enum.join(' | ');
  const parts = [String(schema.type ?? 'value')];
  if (schema.pattern !== undefined) parts.push(String(schema.pattern));
  if (schema.minimum !== undefined) parts.push(`${schema.minimum} to ${schema.maximum ?? '∞'}`);
  if (schema.maxLength !== undefined) parts.push(`at most ${schema.maxLength} characters`);
  if (schema.default !== undefined) parts.push(`default ${JSON.stringify(schema.default)}`);
  return parts.join(', ');
}

function response([status, { description, content }]: [string, Operation['responses'][string]]): string {
  const media = Object.values(content ?? {})[0];
  const value = media?.example ?? Object.values(media?.examples ?? {})[0]?.value;
  return `<details class="s${status[0]}"><summary><b>${status}</b> ${inline(description)}</summary>${example(value)}</details>`;
}

const example = (value: unknown) => `<pre>${escapeHtml(JSON.stringify(value, null, 2) ?? '')}</pre>`;

const inline = (text: string) => escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');
