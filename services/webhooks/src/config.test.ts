import { describe, expect, it } from '@jest/globals';
import { envToConfig } from './config.ts';

const good = {
  MONGODB_URI: 'mongodb://127.0.0.1/',
  KAFKA_BROKERS: '127.0.0.1:9092',
  CALLER_SECRET: Buffer.alloc(32, 1).toString('base64'),
  WEBHOOK_ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 2).toString('base64')}`,
};

describe('envToConfig', () => {
  it('is strict by default', () => {
    const config = envToConfig(good);
    expect(config).toMatchObject({ allowLoopback: false, timeoutMs: 15_000 });
    expect(config.mongo.database).toBe('tallycard_webhooks');
    expect(config.retryScheduleMs).toHaveLength(10);
  });

  it('takes a schedule of its own', () => {
    expect(envToConfig({ ...good, WEBHOOK_RETRY_SCHEDULE_MS: '50, 100' }).retryScheduleMs).toEqual([50, 100]);
  });

  it.each([
    ['WEBHOOK_RETRY_SCHEDULE_MS', '5s'],
    ['WEBHOOK_RETRY_SCHEDULE_MS', '-1'],
    ['WEBHOOK_RETRY_SCHEDULE_MS', ','],
    ['WEBHOOK_TIMEOUT_MS', '0'],
    ['WEBHOOK_ALLOW_LOOPBACK', 'yes'],
    ['WEBHOOK_ENCRYPTION_KEYS', 'k1:short'],
    ['WEBHOOK_ENCRYPTION_KEYS', ''],
    ['KAFKA_BROKERS', ''],
  ])('names %s when it is "%s"', (name, value) => {
    expect(() => envToConfig({ ...good, [name]: value })).toThrow(name);
  });
});
