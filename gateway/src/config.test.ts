import { expect, test } from '@jest/globals';
import { envToConfig } from './config.ts';

const required = {
  IDENTITY_ADDR: 'identity:1',
  LOYALTY_ADDR: 'loyalty:1',
  TEMPLATES_ADDR: 'templates:1',
  GIFTCARDS_ADDR: 'giftcards:1',
  WEBHOOKS_ADDR: 'webhooks:1',
  REDIS_URL: 'redis://cache:6379',
  CALLER_SECRET: Buffer.alloc(32, 1).toString('base64'),
};

test('what is required suffices, with the limits as decided', () => {
  const config = envToConfig(required);
  expect(config).toMatchObject({
    listen: { host: '0.0.0.0', port: 8080 },
    publicUrl: 'http://127.0.0.1:8080',
    trustProxy: undefined,
    rateLimits: { tokenPerIp: 10, tokenPerEmail: 10, balanceCheckPerIp: 5, balanceCheckPerMerchant: 60 },
  });
});

test('one start names every bad variable', () => {
  expect(() =>
    envToConfig({ PORT: 'x', TRUST_PROXY: 'nginx', PUBLIC_URL: 'shop', RATE_LIMIT_TOKEN_PER_IP: '0' }),
  ).toThrow(/PORT .*PUBLIC_URL .*IDENTITY_ADDR .*REDIS_URL .*CALLER_SECRET .*TRUST_PROXY .*RATE_LIMIT_TOKEN_PER_IP /);
});

test.each([
  ['2', 2],
  ['0', undefined],
  ['10.0.0.0/8, fd00::/8', ['10.0.0.0/8', 'fd00::/8']],
  ['loopback', ['loopback']],
])('TRUST_PROXY=%s', (value, expected) => {
  expect(envToConfig({ ...required, TRUST_PROXY: value }).trustProxy).toEqual(expected);
});
