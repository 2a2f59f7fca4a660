import { escapeHtml } from '#platform/html.ts';
import { errorCodes } from '../errors.ts';
import type { OpenApi } from './document.ts';
import { article, type Entry, navItem } from './page-operation.ts';
import { fieldsOf } from './page-schema.ts';
import { pageScript } from './page-script.ts';
import { pageStyle } from './page-style.ts';
import { inline, table } from './page-text.ts';

interface Section {
  readonly name: string;
  readonly entries: readonly Entry[];
}

/** Renders the schema as one page that needs nothing from elsewhere: its style and the filter's script are in it. */
export function renderPage(document: OpenApi): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const sections = document.tags.map(({ name }) => ({
    name,
    entries: operations.filter(({ operation }) => operation.tags.includes(name)),
  }));
  const { title, version } = document.info;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${pageStyle}</style>
</head>
<body>
<nav aria-label="Operations">
<p class="brand">${escapeHtml(title)} <span>${escapeHtml(version)}</span></p>
<input id="filter" type="search" placeholder="Filter operations" aria-label="Filter operations">
${navigation(sections, document)}
</nav>
<main>
${introduction(document)}
${sections.map((section) => operationsOf(section, document)).join('\n')}
${schemasOf(document)}
</main>
<script>${pageScript}</script>
</body>
</html>
`;
}

function navigation(sections: readonly Section[], { components }: OpenApi): string {
  const group = (name: string, items: string) => `<section><h2>${name}</h2><ul>${items}</ul></section>`;
  const link = (to: string, text: string) => `<li data-text="${text}"><a href="#${to}">${text}</a></li>`;
  const about = [link('authentication', 'Authentication'), link('errors', 'Errors')].join('');
  const schemas = Object.keys(components.schemas).map((name) => link(`schema-${escapeHtml(name)}`, escapeHtml(name)));
  return [
    group('About', about),
    ...sections.map(({ name, entries }) => group(escapeHtml(name), entries.map(navItem).join(''))),
    group('Schemas', schemas.join('')),
  ].join('\n');
}

function introduction(document: OpenApi): string {
  const { info, servers, components } = document;
  const schemes = components.securitySchemes as Readonly<Record<string, { description: string }>>;
  const schemeRows = Object.entries(schemes).map(([name, scheme]) => [
    `<code>${escapeHtml(name)}</code>`,
    inline(scheme.description),
  ]);
  return `<header>
<h1>${escapeHtml(info.title)}</h1>
<p>${inline(info.description)}</p>
<p>Base address <code>${escapeHtml(servers[0]?.url ?? '')}</code> ·
<a href="/openapi.public.json?version=${escapeHtml(info.version)}">OpenAPI 3.1 document</a></p>
</header>
<section id="authentication"><h2>Authentication</h2>
<p>Send <code>Authorization: Bearer &lt;ACCESS_TOKEN&gt;</code>. There are two kinds of credentials:</p>
${table(['Name', 'Credential'], schemeRows)}
</section>
<section id="errors"><h2>Errors</h2>
<p>Malformed input is 422 with an <a href="#schema-HTTPValidationError">HTTPValidationError</a> that names every fault. Every
other error is <code>application/problem+json</code>, a <a href="#schema-Problem">Problem</a>, with one of these codes:</p>
${table(['Status', 'Code', 'When'], errorRows(document))}
</section>`;
}

/** The codes that the document's operations answer. */
function errorRows({ paths }: OpenApi): string[][] {
  const responses = Object.values(paths).flatMap((methods) =>
    Object.values(methods).flatMap((operation) => Object.values(operation.responses)),
  );
  const shown = new Set(
    responses.flatMap(({ content }) => Object.keys(content?.['application/problem+json']?.examples ?? {})),
  );
  return Object.entries(errorCodes)
    .filter(([code]) => shown.has(code))
    .map(([code, [status, description]]) => [String(status), `<code>${code}</code>`, inline(description)]);
}

const operationsOf = ({ name, entries }: Section, document: OpenApi) =>
  `<section><h2>${escapeHtml(name)}</h2>${entries.map((entry) => article(entry, document)).join('\n')}</section>`;

function schemasOf({ components }: OpenApi): string {
  const articles = Object.entries(components.schemas).map(
    ([name, schema]) =>
      `<article id="schema-${escapeHtml(name)}"><h3>${escapeHtml(name)}</h3>${fieldsOf(schema)}</article>`,
  );
  return `<section><h2>Schemas</h2>${articles.join('\n')}</section>`;
}
