import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AppError } from '#platform/errors.ts';
import { connectRedis, type RedisClient } from '#platform/redis/redis.ts';
import { createTestLogger } from '#platform/testing.ts';
import { until } from '../../../test/support/api.ts';
import { SilentProxy } from '../../../test/support/silent-proxy.ts';
import { principal, startTestGateway, testRedisUrl } from '../testing.ts';
import { listenForRevocations, revocationChannel } from './revocations.ts';

/** A second, and what a machine with much to do adds. A silent path used to take three to four. */
const noticedMsMax = 2_000;
let proxy: SilentProxy;
let proxyUrl: string;
let redis: RedisClient;
beforeAll(async () => {
  const url = new URL(testRedisUrl());
  redis = await connectRedis(url.href, createTestLogger());
  proxy = await SilentProxy.start({ host: url.hostname, port: Number(url.port) });
  url.host = `127.0.0.1:${proxy.port}`;
  proxyUrl = url.href;
});
afterAll(async () => {
  redis.destroy();
  await proxy.stop();
});

/** Listens through the proxy, and keeps what it was told. */
async function listen() {
  const told: (boolean | string)[] = [];
  const listener = await listenForRevocations(proxyUrl, createTestLogger(), {
    revoked: (id) => void told.push(id),
    allRevoked: () => void told.push('*'),
    live: (isLive) => void told.push(isLive),
  });
  return { told, stop: () => listener.stop() };
}

test('word that comes is told, and that a path fell silent within a second; both again on a new connection', async () => {
  const { told, stop } = await listen();
  try {
    expect(told).toEqual([true]);
    await redis.publish(revocationChannel, 'f00000000000000000000031');
    await until('word came', () => told.length === 2);
    const silentAt = performance.now();
    proxy.silence();
    await redis.publish(revocationChannel, 'f00000000000000000000032');
    await until('the silence is noticed', () => told.length === 3);
    expect(performance.now() - silentAt).toBeLessThan(noticedMsMax);
    await until('the connection is made anew', () => told.length === 4);
    await redis.publish(revocationChannel, 'f00000000000000000000033');
    await until('word comes again', () => told.length === 5);
    expect(told).toEqual([true, 'f00000000000000000000031', false, true, 'f00000000000000000000033']);
  } finally {
    await stop();
  }
}, 30_000);

test('a path that was slow for a while counts again, on the same connection', async () => {
  const { told, stop } = await listen();
  try {
    proxy.hold();
    await redis.publish(revocationChannel, 'f00000000000000000000034');
    await until('the silence is noticed', () => told.length === 2);
    proxy.goOn();
    await until('it is heard again', () => told.length === 4);
    expect(told).toEqual([true, false, 'f00000000000000000000034', true]);
  } finally {
    await stop();
  }
}, 30_000);

test('a credential that is revoked while the path is silent is refused within a second', async () => {
  const gateway = await startTestGateway({ redisUrl: proxyUrl });
  try {
    const whoAmI = async () => (await gateway.send('GET', '/v2/token', { token: 'revoked' })).status;
    gateway.answer({ authenticate: async () => principal({}) });
    expect(await whoAmI()).toBe(200);
    gateway.answer({ authenticate: () => Promise.reject(new AppError('unauthenticated', 'unauthorized', 'No.')) });
    proxy.silence();
    const silentAt = performance.now();
    await until('it is refused', async () => (await whoAmI()) === 401);
    // The first of these requests waits 1.5 s for its limits.
    expect(performance.now() - silentAt).toBeLessThan(2_500);
  } finally {
    await gateway.stop();
  }
}, 30_000);
