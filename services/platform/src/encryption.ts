import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import type { EnvReader } from './process/env.ts';

/** AES-256 keys by id; the first seals, all open. */
export interface KeyRing {
  readonly current: string;
  readonly keys: ReadonlyMap<string, Buffer>;
}

/** Reads `id:base64[,id:base64…]`, newest first. */
export function readKeyRing(env: EnvReader, name: string): KeyRing {
  const keys = new Map<string, Buffer>();
  for (const item of env.list(name)) {
    const [id = '', text = ''] = item.split(/:(.*)/s);
    const key = Buffer.from(text, 'base64');
    if (!/^[A-Za-z0-9_-]{1,32}$/.test(id) || key.length !== 32) {
      env.fault(`${name} must be id:base64 of 32 bytes, with commas between keys`);
    }
    keys.set(id, key);
  }
  return { current: keys.keys().next().value ?? '', keys };
}

/**
 * AES-256-GCM. The result is `keyId.base64url(nonce, tag, ciphertext)`; it opens only with the same `context`
 * (the record's id), so a sealed value cannot be moved to another record.
 */
export function seal(plaintext: string, context: string, ring: KeyRing): string {
  const key = ring.keys.get(ring.current);
  if (key === undefined) throw new Error('no encryption key');
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
  const sealed = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
  return `${ring.current}.${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')}`;
}

/** The plaintext of {@link seal}. @throws when the key is gone, the context differs or the value was altered. */
export function open(sealed: string, context: string, ring: KeyRing): string {
  const [keyId = '', packed = ''] = sealed.split('.');
  const key = ring.keys.get(keyId);
  if (key === undefined) throw new Error(`no encryption key "${keyId}"`);
  const bytes = Buffer.from(packed, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12)).setAAD(Buffer.from(context));
  decipher.setAuthTag(bytes.subarray(12, 28));
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
}

/** A keyed fingerprint (HMAC-SHA-256, base64url), of which the domain separates uses of one key. */
export function keyedHash(domain: string, value: string, key: Buffer): string {
  return createHmac('sha256', key).update(domain).update('\0').update(value).digest('base64url');
}
