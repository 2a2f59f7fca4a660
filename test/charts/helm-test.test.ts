// What `helm test` runs, against stand-ins for the gateway and the services.
import { execFile } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { chartDir } from './helm.ts';
import { one, render } from './render.ts';

const services = ['identity', 'loyalty', 'templates', 'giftcards', 'webhooks'];
const open: Server[] = [];

afterEach(() => {
  for (const server of open.splice(0)) server.close().closeAllConnections();
});

/** Answers each path with its status, 404 for others. @returns its address */
async function answering(statuses: Readonly<Record<string, number>>, body = ''): Promise<string> {
  const server = createServer((request, response) => response.writeHead(statuses[request.url ?? ''] ?? 404).end(body));
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const gateway = { '/readyz': 200, '/status': 200, '/openapi.public.json': 200, '/v2/token': 401 };
const ready = { '/readyz': 200 };

/** Its exit code and what it says. */
async function outcome(base: string, readyUrls: readonly string[]): Promise<[number, string]> {
  const env = { ...process.env, BASE_URL: base, READY_URLS: readyUrls.join(' '), TRIES_MAX: '1' };
  return new Promise((resolve) => {
    execFile(process.execPath, [join(chartDir, 'files', 'test.mjs')], { env }, (error, stdout, stderr) =>
      resolve([error === null ? 0 : Number(error.code), stdout + stderr]),
    );
  });
}

const openapi = JSON.stringify({ openapi: '3.1.0' });
const readyUrlOf = async (statuses: Readonly<Record<string, number>>) => `${await answering(statuses)}/readyz`;

test('it is well when all answer', async () => {
  const urls = await Promise.all(services.map(() => readyUrlOf(ready)));
  expect(await outcome(await answering(gateway, openapi), urls)).toEqual([0, expect.stringContaining('all is well')]);
});

test.each(services)('it fails when %s is not ready', async (down) => {
  const urls = await Promise.all(services.map((each) => readyUrlOf(each === down ? { '/readyz': 503 } : ready)));
  const [code, words] = await outcome(await answering(gateway, openapi), urls);
  expect([code, words]).toEqual([1, expect.stringContaining(`${urls[services.indexOf(down)]}: expected 200, got 503`)]);
});

test.each(Object.keys(gateway))('it fails when the gateway answers %s otherwise', async (path) => {
  const urls = await Promise.all(services.map(() => readyUrlOf(ready)));
  const [code, words] = await outcome(await answering({ ...gateway, [path]: 500 }, openapi), urls);
  expect([code, words]).toEqual([1, expect.stringContaining(`${path}: expected`)]);
});

test('the chart names the gateway and every service to it', async () => {
  const { spec } = one(await render('tuned'), 'Pod');
  expect(spec?.containers?.[0]?.env).toEqual([
    { name: 'BASE_URL', value: 'http://cards-gateway:8080' },
    { name: 'READY_URLS', value: services.map((each) => `http://cards-${each}:9090/readyz`).join(' ') },
  ]);
});
