import { createPrivateKey, type KeyObject } from 'node:crypto';
import { type Env, EnvReader } from '#platform/env.ts';
import { readServiceConfig, type ServiceConfig } from '#platform/service.ts';

export interface IdentityConfig extends ServiceConfig {
  readonly redisUrl: string;
  /** The Ed25519 key that signs access tokens and app keys. */
  readonly jwtPrivateKey: KeyObject;
  /** Keys the HMAC under which API keys and refresh tokens are stored. */
  readonly apiKeyPepper: Buffer;
}

/** @throws ConfigError that names every bad variable, and shows no secret. */
export function envToConfig(env: Env): IdentityConfig {
  const reader = new EnvReader(env);
  const shared = readServiceConfig(reader, 'identity');
  const redisUrl = reader.string('REDIS_URL');
  const apiKeyPepper = reader.secret('API_KEY_PEPPER');
  const jwtPrivateKey = readEd25519Key(reader, 'JWT_PRIVATE_KEY');
  return reader.done({ ...shared, redisUrl, apiKeyPepper, jwtPrivateKey: jwtPrivateKey as KeyObject });
}

function readEd25519Key(reader: EnvReader, name: string): KeyObject | undefined {
  const der = reader.secret(name);
  if (der.length < 32) return undefined;
  try {
    const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // Told below: OpenSSL's own words would not help.
  }
  reader.fault(`${name} must be base64 of an Ed25519 private key in PKCS#8 DER`);
  return undefined;
}
