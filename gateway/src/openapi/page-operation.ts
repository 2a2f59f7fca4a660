import { escapeHtml } from '#platform/html.ts';
import type { OpenApi } from './document.ts';
import type { Operation, Parameter } from './operation.ts';
import { typeOf } from './page-schema.ts';
import { inline, json, table } from './page-text.ts';
import type { MediaType } from './responses.ts';

/** An operation and where it is. */
export interface Entry {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

const badge = (method: string) => `<b class="${method}">${method.toUpperCase()}</b>`;

/** Its line in the navigation. */
export const navItem = ({ method, path, operation }: Entry) =>
  `<li data-text="${escapeHtml(`${path} ${operation.operationId}`)}"><a href="#${escapeHtml(operation.operationId)}">${badge(method)} ${escapeHtml(operation.summary)}</a></li>`;

export function article(entry: Entry, document: OpenApi): string {
  const { path, method, operation } = entry;
  const body = operation.requestBody;
  const media = Object.values(body?.content ?? {})[0];
  return `<article id="${escapeHtml(operation.operationId)}">
<h3><a href="#${escapeHtml(operation.operationId)}">${badge(method)} <code>${escapeHtml(path)}</code></a></h3>
<p class="summary">${escapeHtml(operation.summary)}.</p>
<p>${credentials(operation)}</p>
${operation.description === undefined ? '' : `<p>${inline(operation.description)}</p>`}
<pre class="curl">${escapeHtml(curl(entry, document))}</pre>
${parameterTable(operation.parameters)}
${media === undefined ? '' : `<h4>Body${body?.required === true ? '' : ' (optional)'}</h4><p>${typeOf(media.schema)}</p>${json(media.example)}`}
<h4>Answers</h4>
${Object.entries(operation.responses).map(response).join('\n')}
</article>`;
}

function credentials({ security }: Operation): string {
  if (security.length === 0) return '<em>No token needed.</em>';
  const scope = security.find(({ apiKey }) => apiKey !== undefined)?.apiKey;
  if (scope === undefined) return '<em>Token:</em> a JWT (<a href="#authentication">not an API key</a>).';
  const key = scope.length === 0 ? 'any API key' : `an API key with <code>${escapeHtml(scope.join(' '))}</code>`;
  return `<em>Token:</em> a JWT, or ${key} (<a href="#authentication">authentication</a>).`;
}

function curl({ path, method, operation }: Entry, document: OpenApi): string {
  const query = operation.parameters.filter((one) => one.in === 'query' && one.required);
  const asked = query.map(({ name, example }) => `${name}=${encodeURIComponent(String(example ?? ''))}`).join('&');
  const url = `${document.servers[0]?.url ?? ''}${path}${asked === '' ? '' : `?${asked}`}`;
  const lines = [`curl -X ${method.toUpperCase()} '${url}'`];
  if (operation.security.length > 0) lines.push(`-H 'Authorization: Bearer <ACCESS_TOKEN>'`);
  const media = operation.requestBody?.content['application/json'];
  if (media !== undefined) {
    const body = JSON.stringify(media.example).replaceAll("'", "'\\''");
    lines.push(`-H 'Content-Type: application/json'`, `-d '${body}'`);
  }
  return lines.join(' \\\n  ');
}

function parameterTable(parameters: readonly Parameter[]): string {
  const rows = parameters.map(({ name, required, in: place, schema, description }) => [
    `<code>${escapeHtml(name)}</code>${required ? ' <em>required</em>' : ''}`,
    place,
    typeOf(schema),
    inline(description ?? ''),
  ]);
  return rows.length === 0 ? '' : `<h4>Parameters</h4>${table(['Name', 'In', 'Value', ''], rows)}`;
}

function response([status, { description, headers, content }]: [string, Operation['responses'][string]]): string {
  const media = Object.entries(content ?? {}).map(
    ([type, one]) => `<p>${escapeHtml(type)}: ${typeOf(one.schema)}</p>${examples(one)}`,
  );
  const names = Object.keys(headers).map((name) => `<code>${escapeHtml(name)}</code>`);
  return `<details class="s${status[0]}"><summary><b>${status}</b> ${inline(description)}</summary>
${media.join('')}<p>Headers: ${names.join(' ')}</p></details>`;
}

function examples({ example, examples: named }: MediaType): string {
  if (named === undefined) return json(example);
  return Object.values(named)
    .map(({ value }) => json(value))
    .join('');
}
