import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { type KeyRing, readKeyRing } from '#platform/encryption.ts';
import { readKafkaConfig } from '#platform/kafka/config.ts';
import type { KafkaConfig } from '#platform/kafka/kafka.ts';
import { type MailConfig, readMailConfig } from '#platform/mail/mail.ts';
import { type Env, EnvReader } from '#platform/process/env.ts';
import { readServiceConfig, type ServiceConfig } from '#platform/process/service.ts';
import { limitBounds, type PlanDefaults } from './domain/plan.ts';

export interface IdentityConfig extends ServiceConfig {
  /** Where the events that the audit log is written from come from. */
  readonly kafka: KafkaConfig;
  readonly redisUrl: string;
  /** The Ed25519 key that signs access tokens and app keys. */
  readonly jwtPrivateKey: KeyObject;
  /** Public keys of earlier signing keys: what they signed goes on to work. */
  readonly jwtFormerPublicKeys: readonly KeyObject[];
  /** Keys the HMAC under which API keys and refresh tokens are stored. */
  readonly apiKeyPepper: Buffer;
  readonly planDefaults: PlanDefaults;
  /** Encrypt what has to be read again: mails that wait, TOTP seeds. */
  readonly encryptionKeys: KeyRing;
  readonly mail: MailConfig;
  /** Where clients reach the gateway. */
  readonly publicUrl: string;
}

/**
 * Besides what all services read: `KAFKA_BROKERS`, `REDIS_URL`, `JWT_PRIVATE_KEY`, `JWT_FORMER_PUBLIC_KEYS`,
 * `API_KEY_PEPPER`, `IDENTITY_ENCRYPTION_KEYS`, `PUBLIC_URL`, `SMTP_URL` with `MAIL_FROM`, or `MAIL_DIR`; and what hashed
 * keys may call unless their merchant has other limits: `PLAN_FREE_PER_MONTH` (10,000), `PLAN_PER_MINUTE` (60), `PLAN_PER_HOUR` (1,000).
 * @throws ConfigError that names every bad variable, and shows no secret.
 */
export function envToConfig(env: Env): IdentityConfig {
  const reader = new EnvReader(env);
  const shared = readServiceConfig(reader, 'identity');
  const kafka = readKafkaConfig(reader);
  const redisUrl = reader.string('REDIS_URL');
  const apiKeyPepper = reader.secret('API_KEY_PEPPER');
  const jwtPrivateKey = readEd25519Key(reader, 'JWT_PRIVATE_KEY');
  const jwtFormerPublicKeys = readFormerKeys(reader, 'JWT_FORMER_PUBLIC_KEYS');
  const planDefaults = readPlanDefaults(reader);
  const encryptionKeys = readKeyRing(reader, 'IDENTITY_ENCRYPTION_KEYS');
  const mail = readMailConfig(reader);
  const publicUrl = reader.httpUrl('PUBLIC_URL');
  return reader.done({
    ...shared,
    ...{ kafka, encryptionKeys, mail, publicUrl },
    ...{ redisUrl, apiKeyPepper, planDefaults, jwtPrivateKey: jwtPrivateKey as KeyObject, jwtFormerPublicKeys },
  });
}

function readPlanDefaults(reader: EnvReader): PlanDefaults {
  return {
    freePerMonth: reader.int('PLAN_FREE_PER_MONTH', { fallback: 10_000, ...limitBounds.perMonth }),
    perMinute: reader.int('PLAN_PER_MINUTE', { fallback: 60, ...limitBounds.perMinute }),
    perHour: reader.int('PLAN_PER_HOUR', { fallback: 1_000, ...limitBounds.perHour }),
  };
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

/** Base64 of SPKI DER, with commas between keys; none is fine. */
function readFormerKeys(reader: EnvReader, name: string): KeyObject[] {
  return reader.list(name, '').flatMap((text) => {
    try {
      const key = createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
      if (key.asymmetricKeyType === 'ed25519') return [key];
    } catch {
      // Told below, as for the private key.
    }
    reader.fault(`${name} must be base64 of Ed25519 public keys in SPKI DER, with commas between keys`);
    return [];
  });
}
