import { argon2, pbkdf2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { refusal } from '../domain/errors.ts';
import type { PasswordHasher } from '../domain/ports.ts';
import { createWorkLimit, type WorkBounds } from './work-limit.ts';

const pbkdf2Async = promisify(pbkdf2);
const argon2Async = promisify(argon2);

/** OWASP's password storage cheat sheet: 19 MiB, two passes, one lane. */
const parameters = { memory: 19_456, passes: 2, parallelism: 1 };
const saltBytes = 16;
const tagBytes = 32;
const pbkdf2Rounds = 600_000;
const pbkdf2Bytes = 32;
/** Half of libuv's threads, which other work needs too; those who wait get their turn well within a call's deadline. */
const boundsDefault: WorkBounds = { runningMax: 2, waitingMax: 32 };

const phcPattern = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** PBKDF2-SHA-256 as the client does it, and argon2id (RFC 9106) as PHC strings, a few at a time. */
export function createPasswordHasher(bounds: WorkBounds = boundsDefault): PasswordHasher {
  const limited = createWorkLimit(bounds, refusal.overloaded);
  // Nobody has the password of this one; comparing with it takes what any comparison takes.
  const nobody = encode(randomBytes(saltBytes), randomBytes(tagBytes));
  return {
    derive(password, email) {
      return limited(async () => {
        const derived = await pbkdf2Async(password, email, pbkdf2Rounds, pbkdf2Bytes, 'sha256');
        return derived.toString('base64');
      });
    },
    hash(passwordHash) {
      return limited(async () => {
        const nonce = randomBytes(saltBytes);
        const message = Buffer.from(passwordHash);
        return encode(nonce, await argon2Async('argon2id', { message, nonce, tagLength: tagBytes, ...parameters }));
      });
    },
    verify(passwordHash, stored) {
      return limited(async () => {
        const matches = await compare(passwordHash, stored ?? nobody);
        return matches && stored !== undefined;
      });
    },
  };
}

/** With the parameters of the stored hash, so that older ones go on to work when ours are raised. */
async function compare(passwordHash: string, stored: string): Promise<boolean> {
  const [, memory, passes, parallelism, salt = '', tag = ''] = phcPattern.exec(stored) ?? [];
  if (memory === undefined) throw new Error('a stored password hash is no argon2id PHC string');
  const expected = Buffer.from(tag, 'base64');
  const actual = await argon2Async('argon2id', {
    message: Buffer.from(passwordHash),
    nonce: Buffer.from(salt, 'base64'),
    tagLength: expected.length,
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
  });
  return timingSafeEqual(actual, expected);
}

function encode(salt: Buffer, tag: Buffer): string {
  const { memory, passes, parallelism } = parameters;
  const b64 = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${b64(salt)}$${b64(tag)}`;
}
