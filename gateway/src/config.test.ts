import { expect, test } from '@jest/globals';
import { createApp } from './app.ts';
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
    credentialsKnownMsMax: 30_000,
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

test.each(['10.0.0.0/33', '10.0.0.0/0', 'fd00::/129', '10.0.0', '1.2.3.4/8/8', '-1', '17', '1,2', 'loopback,x'])(
  'TRUST_PROXY=%s is refused, and named',
  (value) => expect(() => envToConfig({ ...required, TRUST_PROXY: value })).toThrow(/TRUST_PROXY/),
);

test('the edge is closed to browsers and bounded unless configured', () => {
  expect(envToConfig(required).edge).toEqual({
    corsOrigins: [],
    connectionsMax: 10_000,
    requestsInFlightMax: 1_000,
    headersMsMax: 15_000,
    requestMsMax: 30_000,
    answerMsMax: 20_000,
    stopDrainMs: 5_000,
  });
});

test.each([
  ['*', '*'],
  ['https://shop.example.com, http://localhost:5173', ['https://shop.example.com', 'http://localhost:5173']],
])('CORS_ORIGINS=%s', (value, expected) => {
  expect(envToConfig({ ...required, CORS_ORIGINS: value }).edge.corsOrigins).toEqual(expected);
});

test.each([
  'shop.example.com',
  'https://shop.example.com/',
  'https://shop.example.com:443',
  'https://SHOP.example.com',
  'https://*.example.com',
  'https://shop.example.com,*',
  'null',
  'ftp://shop.example.com',
])('CORS_ORIGINS=%s would let in nobody or too many: refused, and named', (value) => {
  expect(() => envToConfig({ ...required, CORS_ORIGINS: value })).toThrow(/CORS_ORIGINS/);
});

test('a drain that leaves no time to finish what is under way is refused', () => {
  expect(envToConfig({ ...required, STOP_DRAIN_MS: '10000' }).edge.stopDrainMs).toBe(10_000);
  expect(() => envToConfig({ ...required, STOP_DRAIN_MS: '10001' })).toThrow('STOP_DRAIN_MS');
});

test('the process is not ended before an answer that was begun last may be out', () => {
  const { edge, ...config } = envToConfig(required);
  expect(createApp({ ...config, edge }).stopMsMax).toBe(28_000);
  expect(createApp({ ...config, edge: { ...edge, answerMsMax: 60_000 } }).stopMsMax).toBe(68_000);
});

test.each(['0', '61', 'x'])('CREDENTIALS_KNOWN_S=%s is refused, and named', (value) => {
  expect(() => envToConfig({ ...required, CREDENTIALS_KNOWN_S: value })).toThrow('CREDENTIALS_KNOWN_S');
});

test.each(['CONNECTIONS_MAX', 'REQUESTS_IN_FLIGHT_MAX', 'HEADERS_TIMEOUT_MS', 'ANSWER_TIMEOUT_MS', 'STOP_DRAIN_MS'])(
  '%s must be a number',
  (name) => expect(() => envToConfig({ ...required, [name]: '-1' })).toThrow(name),
);
