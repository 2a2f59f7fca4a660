import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { envToConfig } from './config.ts';

const derOf = (type: 'ed25519' | 'x25519') => {
  const { privateKey } = type === 'ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('x25519');
  return privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
};
const good = {
  MONGODB_URI: 'mongodb://127.0.0.1',
  REDIS_URL: 'redis://127.0.0.1',
  KAFKA_BROKERS: '127.0.0.1:9092',
  CALLER_SECRET: randomBytes(32).toString('base64'),
  API_KEY_PEPPER: randomBytes(32).toString('base64'),
  JWT_PRIVATE_KEY: derOf('ed25519'),
  IDENTITY_ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
  PUBLIC_URL: 'https://api.example.com/',
};
const folder = { MAIL_DIR: 'mail' };

describe('configuration', () => {
  test.each(Object.keys(good))('names %s when it is missing', (name) => {
    expect(() => envToConfig({ ...good, [name]: undefined })).toThrow(`${name} is required`);
  });

  test('names both ways of sending mails when there is none', () => {
    expect(() => envToConfig(good)).toThrow(/SMTP_URL \(or MAIL_DIR.* is required/);
  });

  test('names every bad variable at once', () => {
    expect(() => envToConfig({ GRPC_PORT: 'x' })).toThrow(/GRPC_PORT.*API_KEY_PEPPER.*JWT_PRIVATE_KEY/s);
  });

  test.each([
    ['key of another kind', derOf('x25519')],
    ['text that is no key', randomBytes(48).toString('base64')],
  ])('refuses a %s to sign with, and does not show it', (_what, key) => {
    const read = () => envToConfig({ ...good, JWT_PRIVATE_KEY: key });
    expect(read).toThrow('JWT_PRIVATE_KEY must be base64 of an Ed25519 private key');
    expect(read).not.toThrow(key);
  });

  test('reads former signing keys, and refuses what is none', () => {
    const { publicKey } = generateKeyPairSync('ed25519');
    const text = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
    expect(
      envToConfig({ ...good, ...folder, JWT_FORMER_PUBLIC_KEYS: `${text}, ${text}` }).jwtFormerPublicKeys,
    ).toHaveLength(2);
    expect(envToConfig({ ...good, ...folder }).jwtFormerPublicKeys).toEqual([]);
    const read = () => envToConfig({ ...good, JWT_FORMER_PUBLIC_KEYS: `${text},AAAA` });
    expect(read).toThrow('JWT_FORMER_PUBLIC_KEYS must be base64 of Ed25519 public keys');
  });

  test.each(['PLAN_FREE_PER_MONTH', 'PLAN_PER_MINUTE', 'PLAN_PER_HOUR'])('refuses a %s that bounds nothing', (name) => {
    for (const value of ['0', '-1', '1.5', 'many', '9999999999999999']) {
      expect(() => envToConfig({ ...good, ...folder, [name]: value })).toThrow(name);
    }
  });

  test('has limits for keys, and takes others', () => {
    expect(envToConfig({ ...good, ...folder }).planDefaults).toEqual({
      freePerMonth: 10_000,
      perMinute: 60,
      perHour: 1_000,
    });
    const others = { PLAN_FREE_PER_MONTH: '1', PLAN_PER_MINUTE: '2', PLAN_PER_HOUR: '3' };
    const { planDefaults } = envToConfig({ ...good, ...folder, ...others });
    expect(planDefaults).toEqual({ freePerMonth: 1, perMinute: 2, perHour: 3 });
  });

  test('reads what is right', () => {
    const config = envToConfig({ ...good, ...folder });
    expect(config.publicUrl).toBe('https://api.example.com');
    expect(config.jwtPrivateKey.asymmetricKeyType).toBe('ed25519');
    expect(config.mongo.database).toBe('tallycard_identity');
  });
});
