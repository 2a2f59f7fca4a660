import type { LookupAddress } from 'node:dns';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Receiver, startReceiver } from '../../testing-receiver.ts';
import { createGuardedLookup, RefusedAddressError } from './guarded-lookup.ts';
import { createWebhookClient } from './webhook-client.ts';

let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.stop());

const body = JSON.stringify({ id: 'a', type: 'a', data: {} });

function clientOf(allowLoopback: boolean, addresses: Record<string, readonly string[]> = {}) {
  const asked: string[] = [];
  const resolve = async (hostname: string) => {
    asked.push(hostname);
    return addresses[hostname] ?? [];
  };
  const client = createWebhookClient({ policy: { allowLoopback }, resolve, timeoutMs: 2_000 });
  const post = (url: string) => client.post({ url, headers: {}, body, readsBody: false });
  return { post, asked, close: () => client.close() };
}

describe('the webhook client', () => {
  it.each([
    ['http://10.0.0.1/'],
    ['http://169.254.169.254/latest/meta-data'],
    ['http://[::ffff:169.254.169.254]/'],
    ['http://[64:ff9b::a9fe:a9fe]/'],
    ['http://0x7f.1/'],
    ['http://localhost/'],
  ])('does not connect to %s', async (url) => {
    const client = clientOf(false);
    expect(await client.post(url)).toMatchObject({ fault: 'refused_address' });
    client.close();
  });

  it('does not connect to a name that stands for a refused address, whichever it shows first', async () => {
    const addresses = { 'a.example.com': ['127.0.0.1'], 'b.example.com': ['10.0.0.1', '::ffff:127.0.0.1', '::1'] };
    const client = clientOf(false, addresses);
    for (const name of Object.keys(addresses)) {
      expect(await client.post(`http://${name}:${receiver.port}/`)).toMatchObject({ fault: 'refused_address' });
    }
    expect(client.asked).toEqual(['a.example.com', 'b.example.com']);
    expect(receiver.connections()).toBe(0);
    client.close();
  });

  it('connects to the allowed address of a name, and asks DNS once a connection', async () => {
    const client = clientOf(true, { 'hooks.example.com': ['10.0.0.1', '127.0.0.1'] });
    const url = `http://hooks.example.com:${receiver.port}/x`;
    expect(await client.post(url)).toMatchObject({ status: 200 });
    expect(receiver.received[0]?.headers.host).toBe(`hooks.example.com:${receiver.port}`);
    await client.post(url);
    expect([receiver.connections(), client.asked]).toEqual([1, ['hooks.example.com']]);
    client.close();
  });

  it('uses a connection again, and a new one when the receiver has closed it', async () => {
    const client = clientOf(true);
    for (let count = 0; count < 5; count += 1) expect(await client.post(receiver.url)).toMatchObject({ status: 200 });
    expect(receiver.connections()).toBe(1);
    receiver.hangUpOnReuse = true;
    for (let count = 0; count < 5; count += 1) expect(await client.post(receiver.url)).toMatchObject({ status: 200 });
    client.close();
  });

  it('says so when a name is unknown', async () => {
    const client = createWebhookClient({
      policy: { allowLoopback: false },
      resolve: () => Promise.reject(new Error('ENOTFOUND')),
      timeoutMs: 1_000,
    });
    const url = 'https://nowhere.example.com/';
    expect(await client.post({ url, headers: {}, body, readsBody: true })).toMatchObject({
      fault: 'connection_failed',
    });
    client.close();
  });

  it('is not fooled by an IP address where TLS was promised', async () => {
    const client = clientOf(true);
    const url = receiver.url.replace('http:', 'https:');
    expect(await client.post(url)).toMatchObject({ fault: 'connection_failed' });
    client.close();
  });
});

describe('the guarded lookup', () => {
  const lookup = (found: string[], options: { all?: boolean }) =>
    new Promise<{ error: Error | null; address: string | LookupAddress[]; family?: number }>((done) => {
      const guarded = createGuardedLookup({ allowLoopback: false }, async () => found);
      guarded('x.example.com', options, (error, address, family) => done({ error, address, family }));
    });

  it('gives only allowed addresses, in both forms that sockets ask for', async () => {
    const found = ['10.0.0.1', '2606:4700::1111', '1.1.1.1', 'fd00::1'];
    expect(await lookup(found, {})).toEqual({ error: null, address: '2606:4700::1111', family: 6 });
    expect(await lookup(found, { all: true })).toMatchObject({
      address: [
        { address: '2606:4700::1111', family: 6 },
        { address: '1.1.1.1', family: 4 },
      ],
    });
  });

  it('refuses when there is none', async () => {
    expect((await lookup(['127.0.0.1'], { all: true })).error).toBeInstanceOf(RefusedAddressError);
    expect((await lookup([], {})).error).toBeInstanceOf(RefusedAddressError);
  });
});
