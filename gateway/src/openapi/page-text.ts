import { escapeHtml } from '#platform/html.ts';

/** Text with `code` in it, as HTML. */
export const inline = (text: string) => escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');

/** A JSON value, as HTML. */
export const json = (value: unknown) => `<pre>${escapeHtml(JSON.stringify(value, null, 2) ?? '')}</pre>`;

/** A table, of rows that are HTML already. */
export function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = (row: readonly string[]) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
  const head = columns.map((column) => `<th scope="col">${column}</th>`).join('');
  return `<table><thead><tr>${head}</tr></thead><tbody>${rows.map(cells).join('')}</tbody></table>`;
}
