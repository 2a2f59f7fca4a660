/** Where and why a text is no JSON, in the words that the validation error body uses. */
export interface JsonFault {
  /** Character offset. */
  readonly position: number;
  readonly error: string;
}

const literal = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)/y;
const blank = /[ \t\n\r]*/y;

/**
 * Finds the first fault of a text that `JSON.parse` refused. V8's own message is of no use here: it quotes the text,
 * which may hold a secret.
 */
export function findJsonFault(text: string): JsonFault {
  const closers: string[] = [];
  let position = skipBlank(text, 0);
  for (;;) {
    const opened = text[position];
    if (opened === '{' || opened === '[') {
      const closer = opened === '{' ? '}' : ']';
      const inside = skipBlank(text, position + 1);
      if (text[inside] === closer) position = inside + 1;
      else {
        closers.push(closer);
        const key = closer === '}' ? readKey(text, inside) : inside;
        if (typeof key !== 'number') return key;
        position = key;
        continue;
      }
    } else {
      const end = opened === '"' ? readString(text, position) : readLiteral(text, position);
      if (typeof end !== 'number') return end;
      position = end;
    }
    const next = afterValue(text, position, closers);
    if (typeof next !== 'number') return next;
    position = next;
  }
}

/** Steps over closing brackets and one comma, to where the next value begins. */
function afterValue(text: string, from: number, closers: string[]): number | JsonFault {
  let position = skipBlank(text, from);
  while (closers.length > 0 && text[position] === closers.at(-1)) {
    closers.pop();
    position = skipBlank(text, position + 1);
  }
  if (closers.length === 0) return { position, error: 'Extra data' };
  if (text[position] !== ',') return { position, error: "Expecting ',' delimiter" };
  position = skipBlank(text, position + 1);
  return closers.at(-1) === '}' ? readKey(text, position) : position;
}

function readKey(text: string, from: number): number | JsonFault {
  if (text[from] !== '"') return { position: from, error: 'Expecting property name enclosed in double quotes' };
  const end = readString(text, from);
  if (typeof end !== 'number') return end;
  const colon = skipBlank(text, end);
  return text[colon] === ':' ? skipBlank(text, colon + 1) : { position: colon, error: "Expecting ':' delimiter" };
}

function readString(text: string, from: number): number | JsonFault {
  for (let position = from + 1; position < text.length; position += 1) {
    const character = text[position];
    if (character === '"') return position + 1;
    if (character === '\\') {
      position += 1;
      const escaped = text[position] ?? '';
      if (escaped === 'u') {
        if (!/^[0-9a-fA-F]{4}$/.test(text.slice(position + 1, position + 5))) {
          return { position, error: 'Invalid \\uXXXX escape' };
        }
      } else if (!'"\\/bfnrt'.includes(escaped)) return { position: position - 1, error: 'Invalid \\escape' };
    } else if ((character?.charCodeAt(0) ?? 0) < 0x20) return { position, error: 'Invalid control character at' };
  }
  return { position: from, error: 'Unterminated string starting at' };
}

function readLiteral(text: string, from: number): number | JsonFault {
  literal.lastIndex = from;
  return literal.test(text) ? literal.lastIndex : { position: from, error: 'Expecting value' };
}

function skipBlank(text: string, from: number): number {
  blank.lastIndex = from;
  blank.test(text);
  return blank.lastIndex;
}
