import { escapeHtml } from '#platform/html.ts';
import type { JsonSchema } from './json-schema.ts';
import { inline, table } from './page-text.ts';

/** Enough to show what is meant; the document has them all. */
const wordsShownMax = 12;

/** What a value may be, as HTML, with links to the schemas that it names. */
export function typeOf(schema: JsonSchema): string {
  if (schema.$ref !== undefined) {
    const name = escapeHtml(schema.$ref.split('/').at(-1) ?? '');
    return `<a href="#schema-${name}">${name}</a>`;
  }
  const options = schema.anyOf ?? schema.oneOf;
  if (options !== undefined) return [...new Set(options.map(typeOf))].join(' or ');
  if (schema.enum !== undefined) return words(schema.enum);
  if (schema.const !== undefined) return words([schema.const]);
  if (schema.type === 'array') return `array of ${typeOf(schema.items ?? {})}${count(schema)}`;
  const names = [schema.type ?? 'anything'].flat().join(' or ');
  return [names, ...bounds(schema)].join(', ');
}

function words(given: readonly unknown[]): string {
  const shown = given.slice(0, wordsShownMax).map((word) => `<code>${escapeHtml(String(word))}</code>`);
  return shown.join(' ') + (given.length > wordsShownMax ? ` and ${given.length - wordsShownMax} more` : '');
}

function count({ minItems, maxItems }: JsonSchema): string {
  return maxItems === undefined ? '' : `, ${minItems ?? 0} to ${maxItems}`;
}

const unbounded = 2 ** 53 - 1;

function bounds(schema: JsonSchema): string[] {
  const { format, pattern, minLength, maxLength, minimum, exclusiveMinimum, maximum } = schema;
  const isBound = (value: unknown) => value !== undefined && Math.abs(Number(value)) < unbounded;
  const parts: string[] = [];
  if (format !== undefined) parts.push(escapeHtml(String(format)));
  if (maxLength !== undefined) parts.push(`${minLength ?? 0} to ${maxLength} characters`);
  else if (minLength !== undefined) parts.push(`at least ${minLength} characters`);
  if (isBound(minimum)) parts.push(`from ${minimum}`);
  if (exclusiveMinimum !== undefined) parts.push(`above ${exclusiveMinimum}`);
  if (isBound(maximum)) parts.push(`up to ${maximum}`);
  // Patterns of formats are for programs.
  if (pattern !== undefined && format === undefined) parts.push(`<code>${escapeHtml(String(pattern))}</code>`);
  if (schema.default !== undefined) parts.push(`default <code>${escapeHtml(JSON.stringify(schema.default))}</code>`);
  return parts;
}

/** The fields of an object, or what else a schema is, as HTML. */
export function fieldsOf(schema: JsonSchema): string {
  if (schema.properties === undefined) {
    const options = schema.anyOf ?? schema.oneOf;
    return options?.every(({ properties }) => properties !== undefined)
      ? options.map(fieldsOf).join('<p>or</p>')
      : `<p>${typeOf(schema)}</p>`;
  }
  const rows = Object.entries(schema.properties).map(([name, field]) => [
    `<code>${escapeHtml(name)}</code>${schema.required?.includes(name) ? ' <em>required</em>' : ''}`,
    typeOf(field),
    inline(String(field.description ?? '')),
  ]);
  return rows.length === 0 ? '<p>An object without fields.</p>' : table(['Field', 'Value', ''], rows);
}
