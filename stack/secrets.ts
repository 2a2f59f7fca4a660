import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { readJson, writePrivate } from './data-dir.ts';

/** Named as the services read them; each service gets only its own. */
export interface Secrets {
  CALLER_SECRET: string;
  CARD_ENCRYPTION_KEYS: string;
  CARD_HMAC_KEY: string;
  WEBHOOK_ENCRYPTION_KEYS: string;
  JWT_PRIVATE_KEY: string;
  API_KEY_PEPPER: string;
  IDENTITY_ENCRYPTION_KEYS: string;
}

function random32(): string {
  return randomBytes(32).toString('base64');
}

function generate(): Secrets {
  const { privateKey } = generateKeyPairSync('ed25519');
  return {
    CALLER_SECRET: random32(),
    CARD_ENCRYPTION_KEYS: `k1:${random32()}`,
    CARD_HMAC_KEY: random32(),
    WEBHOOK_ENCRYPTION_KEYS: `k1:${random32()}`,
    JWT_PRIVATE_KEY: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
    API_KEY_PEPPER: random32(),
    IDENTITY_ENCRYPTION_KEYS: `k1:${random32()}`,
  };
}

/**
 * The secrets of one DATA_DIR: made once and kept, because the data is encrypted with them. One that a newer
 * version needs is added.
 */
export function loadSecrets(file: string): Secrets {
  const kept = readJson<Secrets>(file);
  const secrets = { ...generate(), ...kept };
  if (Object.keys(secrets).length !== Object.keys(kept ?? {}).length) writePrivate(file, secrets);
  return secrets;
}
