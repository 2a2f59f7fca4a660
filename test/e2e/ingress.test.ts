import { randomInt } from 'node:crypto';
import { request } from 'node:http';
import { afterEach, expect, test } from '@jest/globals';
import type { GatewayConfig } from '../../gateway/src/config.ts';
import { noLimits, startTestGateway, type TestGateway } from '../../gateway/src/testing.ts';
import { RoundRobinProxy } from '../support/round-robin-proxy.ts';

const quota = 5;
let gateway: TestGateway;
let proxy: RoundRobinProxy;
afterEach(async () => {
  await proxy.stop();
  await gateway.stop();
});

async function start(trustProxy: GatewayConfig['trustProxy']): Promise<void> {
  // A Redis database of its own: other tests delete what has been counted.
  const redisUrl = new URL('/11', process.env.TEST_REDIS_URL).href;
  gateway = await startTestGateway({ trustProxy, redisUrl, rateLimits: { ...noLimits, balanceCheckPerIp: quota } });
  proxy = await RoundRobinProxy.start([{ port: gateway.port, healthPort: gateway.port }]);
}

/** A client that nobody has been before: any address of 127.0.0.0/8 is this machine's. */
const newClient = () => `127.${[1, 1, 1].map((least) => randomInt(least, 254)).join('.')}`;

/** Checks a balance through the proxy, from an address of this machine. */
function check(localAddress: string, headers: Record<string, string> = {}): Promise<number> {
  const body = JSON.stringify({ cardNumber: '6034930000000017', securityCode: '123456' });
  return new Promise((resolve, reject) => {
    const options = {
      method: 'POST',
      localAddress,
      agent: false,
      headers: { 'content-type': 'application/json', 'content-length': body.length, ...headers },
    };
    request(`${proxy.url}/v2/giftcards/customer/balance-check`, options, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    })
      .on('error', reject)
      .end(body);
  });
}

async function checks(count: number, address: string, headers?: (index: number) => Record<string, string>) {
  const statuses: number[] = [];
  for (let index = 0; index < count; index += 1) statuses.push(await check(address, headers?.(index)));
  return statuses;
}

const limited = [...Array(quota).fill(200), 429, 429];
const madeUp = (index: number) => ({ 'x-forwarded-for': `198.51.100.${index}` });

test.each([
  ['one hop', 1],
  ['its address', ['127.0.0.1']],
] as const)('clients behind a proxy that is trusted by %s are limited each on its own', async (_how, trustProxy) => {
  await start(trustProxy);
  const first = newClient();
  expect(await checks(quota + 2, first)).toEqual(limited);
  // What a client itself puts into the header is not believed.
  expect(await checks(1, first, madeUp)).toEqual([429]);
  expect(await checks(quota + 2, newClient(), madeUp)).toEqual(limited);
});

test('behind a proxy that is not trusted all are one client', async () => {
  await start(undefined);
  const statuses = await checks(quota, newClient(), madeUp);
  expect([...statuses, ...(await checks(quota, newClient(), madeUp))].slice(quota)).toEqual(Array(quota).fill(429));
});
