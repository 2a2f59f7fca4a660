const names = [
  ...['cardNumber', 'securityCode', 'destinationCardNumber', 'password', 'passwordHash', 'storedPassword', 'secret'],
  ...['sharedSecret', 'authorization', 'cookie', 'credential', 'accessToken', 'access_token', 'refreshToken'],
  ...['refresh_token', 'client_secret', 'apiKey', 'recoveryCode', 'otpauthUrl'],
].join('|');
// Every pattern takes time linear in the line: where one could begin, it either ends soon or consumes what it looked at.
/** A text or number under one of the names. */
const named = new RegExp(`("(?:${names})":\\s*)(?:"(?:[^"\\\\]|\\\\.)*"|\\d+)`, 'gi');
/**
 * The same in JSON that is text in JSON, where quotes have 1, 3, 7 or 15 backslashes before them. A text that does not
 * end there is cut up to the end of the text that it stands in.
 */
const namedInText = new RegExp(
  `((?<!\\\\)(\\\\{1,15})"(?:${names})\\2":\\s*)(?:\\2"[^]*?(?:(?<!\\\\)\\2"(?=\\s*[,}\\]])|(?=(?<!\\\\)")|$)|\\d+)`,
  'gi',
);
/** Whatever name it goes by: API keys, webhook secrets, JWTs or the start of one, Bearer credentials and card numbers. */
const shaped =
  /tc_(?:live|test)_[A-Za-z0-9]{8,}|whsec_[A-Za-z0-9+/=]{8,}|eyJ[\w-]{8,}(?:\.[\w-]+){0,2}|(?<=Bearer )[\w.~+/=-]{8,}|(?<![\w.-])\d{16}(?![\w.-])/g;

const mark = '[secret]';
const cutMark = ' [cut]';
/** Characters of one text in a line; what a client made longer is cut. */
const textMax = 4_096;

/**
 * A line of JSON with every secret in it replaced, and texts over 4,096 characters cut. It is a safety net: code that
 * logs a secret is wrong all the same.
 */
export function withoutSecrets(line: string): string {
  const bounded = line.length > textMax ? cutTexts(line) : line;
  return bounded.replace(named, `$1"${mark}"`).replace(namedInText, `$1$2"${mark}$2"`).replace(shaped, mark);
}

function cutTexts(line: string): string {
  let result = '';
  let copied = 0;
  for (let start = line.indexOf('"'); start >= 0; ) {
    const { keep, end } = measure(line, start + 1);
    if (keep < end) {
      result += line.slice(copied, keep) + cutMark;
      copied = end;
    }
    start = line.indexOf('"', end + 1);
  }
  return result + line.slice(copied);
}

/** Where the text that begins at `start` ends, and up to where it is kept. */
function measure(line: string, start: number): { keep: number; end: number } {
  let end = start;
  let keep = start;
  while (end < line.length && line[end] !== '"') {
    if (line[end] === '\\') end += line[end + 1] === 'u' ? 6 : 2;
    else end += 1;
    if (end - start <= textMax) keep = end;
  }
  return { keep: keep < end ? wordStart(line, start, keep) : end, end };
}

/** No part of a word is kept: half a secret would not be known by its shape. */
function wordStart(line: string, start: number, end: number): number {
  let at = end;
  while (at > start && /[\w.~+/=-]/.test(line[at - 1] as string)) at -= 1;
  let slashes = 0;
  while (at - slashes > start && line[at - slashes - 1] === '\\') slashes += 1;
  // An odd one begins an escape, such as \n, of which no part is kept either.
  return at - (slashes % 2);
}
