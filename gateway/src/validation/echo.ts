import { ExactNumber } from './decimal.ts';

/** What stands in an answer where a secret was sent. */
export const concealed = '[secret]';

// By name, loosely: a misspelt field may hold the secret just as well.
const secretName = /pass.?(w|phrase|code)|secret|token|code$|keys?$|^pin$|cvv|cvc|card.?num/i;
const cardNumberLike = /^\d[\d -]{10,}\d$/;
/** A document that was sent as a text, or as a name: encoded twice, or as a form. What is in it goes by no name here. */
const documentLike = /^\s*["[{]|"\s*:/;
const textLengthMax = 1_000;
const membersMax = 200;
const depthMax = 16;

/**
 * A copy of what a caller sent that is safe to send back: without secrets and card numbers, and bounded in depth and
 * size, so that a fault costs no more than the request did.
 * @param name the field that `value` was sent in.
 */
export function echo(value: unknown, name = '', depth = 0): unknown {
  if (value === null || value === undefined) return null;
  if (isSecret(value, name)) return concealed;
  if (value instanceof ExactNumber) return Number(value.source);
  if (typeof value === 'string') return value.length > textLengthMax ? `${value.slice(0, textLengthMax)}…` : value;
  if (typeof value !== 'object') return value;
  if (depth >= depthMax) return null;
  if (Array.isArray(value)) return value.slice(0, membersMax).map((item) => echo(item, name, depth + 1));
  const entries = Object.entries(value).slice(0, membersMax);
  return Object.fromEntries(entries.map(([key, member]) => [echoName(key), echo(member, key, depth + 1)]));
}

/** The name of a field that is safe to send back. */
export const echoName = (name: string): string => (isSecretText(name) ? concealed : name);

const isSecretText = (text: string): boolean => cardNumberLike.test(text) || documentLike.test(text);

function isSecret(value: unknown, name: string): boolean {
  return secretName.test(name) || (typeof value === 'string' && isSecretText(value));
}
