const names = [
  ...['cardNumber', 'securityCode', 'destinationCardNumber', 'password', 'passwordHash', 'storedPassword', 'secret'],
  ...['sharedSecret', 'authorization', 'cookie', 'credential', 'accessToken', 'access_token', 'refreshToken'],
  ...['refresh_token', 'client_secret', 'apiKey', 'recoveryCode', 'otpauthUrl'],
].join('|');
/** A text or number under one of the names. */
const named = new RegExp(`("(?:${names})":\\s*)(?:"(?:[^"\\\\]|\\\\.)*"|\\d+)`, 'gi');
/** The same in JSON that is text in JSON, where quotes have backslashes before them. */
const namedInText = new RegExp(`((\\\\+)"(?:${names})\\2":\\s*)(?:\\2".*?(?<!\\\\)\\2"(?=\\s*[,}\\]])|\\d+)`, 'gi');
/** Whatever name it goes by: API keys, webhook secrets, JWTs, Bearer credentials and card numbers. */
const shaped =
  /tc_(?:live|test)_[A-Za-z0-9]{8,}|whsec_[A-Za-z0-9+/=]{8,}|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]+|(?<=Bearer )[\w.~+/=-]{8,}|(?<![\w.-])\d{16}(?![\w.-])/g;

const mark = '[secret]';

/** A line of JSON with every secret in it replaced. It is a safety net: code that logs a secret is wrong all the same. */
export function withoutSecrets(line: string): string {
  return line.replace(named, `$1"${mark}"`).replace(namedInText, `$1$2"${mark}$2"`).replace(shaped, mark);
}
