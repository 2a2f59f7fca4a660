/** Objects and lists within each other; no body of the API needs more than a few. */
export const jsonDepthMax = 32;

const quote = 0x22;
const backslash = 0x5c;
// The square and curly ones differ in this bit only.
const curly = 0x20;
const opening = 0x7b;
const closing = 0x7d;

/**
 * Where a JSON text nests deeper than {@link jsonDepthMax}, as a character offset; undefined when it does not. To be
 * asked before the text is parsed: it stops at the first bracket too many, and holds nothing.
 */
export function findTooDeep(text: string): number | undefined {
  if (text.length <= jsonDepthMax) return undefined;
  let depth = 0;
  for (let position = 0; position < text.length; position += 1) {
    const code = text.charCodeAt(position);
    if (code === quote) position = endOfString(text, position);
    else if ((code | curly) === opening) {
      depth += 1;
      if (depth > jsonDepthMax) return position;
    } else if ((code | curly) === closing) depth -= 1;
  }
  return undefined;
}

/** Where the string that begins at `start` ends; the text's end when it does not. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === backslash) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return text.length;
}
